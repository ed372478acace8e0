// The picture of a question. It is kept in this browser under a key that stands in the address, so
// that going back, reloading and a second tab find it again.

/** Pictures larger than this in bytes or on a side are made smaller before they are sent. */
const maxSentBytes = 1_500_000;
const maxSide = 2048;
/** The server takes 8 MiB of JSON; base64 makes 4 of 3 bytes. */
const maxRawBytes = 5_500_000;
const keptPictures = 24;
const likePrefix = 'like:';

/** A question by a picture that the server has: shareable, unlike one of this browser. */
export function likeKey(previewId: string): string {
  return likePrefix + previewId;
}

export function likedPreview(key: string): string | null {
  return key.startsWith(likePrefix) ? key.slice(likePrefix.length) : null;
}

function openStore(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('sightline', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('pictures').createIndex('at', 'at');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('indexedDB'));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error ?? new Error('indexedDB'));
    transaction.onabort = () => reject(transaction.error ?? new Error('indexedDB'));
  });
}

interface KeptPicture {
  blob: Blob;
  at: number;
}

/** Pictures of this visit; the only store where the browser forbids IndexedDB. */
const inMemory = new Map<string, Blob>();

/** Keeps a picture and returns its key. */
export async function keepPicture(file: Blob): Promise<string> {
  const blob = await fitForSending(file);
  const random = crypto.getRandomValues(new Uint8Array(8));
  const key = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  inMemory.set(key, blob);
  try {
    const store = await openStore();
    const transaction = store.transaction('pictures', 'readwrite');
    const pictures = transaction.objectStore('pictures');
    pictures.put({ blob, at: Date.now() } satisfies KeptPicture, key);
    dropOldest(pictures);
    await finished(transaction);
    store.close();
  } catch (error) {
    console.warn('The picture is kept for this visit only:', error);
  }
  return key;
}

function dropOldest(pictures: IDBObjectStore): void {
  const count = pictures.count();
  count.onsuccess = () => {
    let surplus = count.result - keptPictures;
    if (surplus <= 0) return;
    const cursor = pictures.index('at').openCursor();
    cursor.onsuccess = () => {
      if (!cursor.result || surplus <= 0) return;
      surplus -= 1;
      cursor.result.delete();
      cursor.result.continue();
    };
  };
}

/** The kept picture, or null where this browser does not have it. */
export async function keptPicture(key: string): Promise<Blob | null> {
  const here = inMemory.get(key);
  if (here) return here;
  try {
    const store = await openStore();
    const request = store.transaction('pictures').objectStore('pictures').get(key);
    const kept = await new Promise<KeptPicture | undefined>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result as KeptPicture | undefined);
      request.onerror = () => reject(request.error ?? new Error('indexedDB'));
    });
    store.close();
    return kept?.blob ?? null;
  } catch (error) {
    console.warn('Pictures of earlier visits cannot be read:', error);
    return null;
  }
}

export class PictureTooLarge extends Error {}

async function fitForSending(file: Blob): Promise<Blob> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    // A format that this browser does not know, but the server may.
    if (file.size > maxRawBytes) throw new PictureTooLarge();
    return file;
  }
  try {
    const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && file.size <= maxSentBytes) return file;
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d');
    if (!context) throw new PictureTooLarge();
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return await new Promise<Blob>((resolve, reject) => {
      const done = (blob: Blob | null) => (blob ? resolve(blob) : reject(new PictureTooLarge()));
      canvas.toBlob(done, 'image/jpeg', 0.9);
    });
  } finally {
    bitmap.close();
  }
}

/** Base64 without the `data:` prefix. */
export function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const text = String(reader.result);
      resolve(text.slice(text.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('read'));
    reader.readAsDataURL(blob);
  });
}
