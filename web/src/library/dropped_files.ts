/** Files that an operating system writes into folders by itself. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
const maxFiles = 5000;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** All entries of a folder: the browser hands them out a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** The files of a drop, those inside folders too, in the order of their names. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries have to be taken before the first await: the drop's data is gone afterwards.
  const entries = Array.from(transfer.items, (item) =>
    item.kind === 'file' ? item.webkitGetAsEntry() : null,
  );
  const plain = Array.from(transfer.files);
  if (entries.every((entry) => entry === null)) return plain;
  const files: File[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (files.length >= maxFiles || systemFiles.has(entry.name)) return;
    if (entry.isFile) {
      files.push(await fileOf(entry as FileSystemFileEntry));
      return;
    }
    const inside = await entriesOf(entry as FileSystemDirectoryEntry);
    inside.sort((a, b) => a.name.localeCompare(b.name));
    for (const child of inside) await walk(child);
  };
  for (const entry of entries) if (entry) await walk(entry);
  return files;
}

/** Whether a drag carries files (not text or a link of a page). */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer !== null && Array.from(transfer.types).includes('Files');
}
