import { useEffect, useState } from 'preact/hooks';
import { previewUrl } from '../api/client';
import { t } from '../i18n/i18n';
import { Icon } from '../ui/icons';
import { keptPicture, likedPreview } from './picture';

/** Address of a kept picture's pixels, for as long as the component shows it. */
export function usePictureUrl(picture: string | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    setUrl(null);
    if (picture === null) return undefined;
    const liked = likedPreview(picture);
    if (liked) {
      setUrl(previewUrl(liked));
      return undefined;
    }
    let made: string | null = null;
    let gone = false;
    void keptPicture(picture).then((blob) => {
      if (!blob || gone) return;
      made = URL.createObjectURL(blob);
      setUrl(made);
    });
    return () => {
      gone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [picture]);
  return url;
}

interface QueryPictureProps {
  picture: string | null;
  onRemove: () => void;
}

/** The thumbnail in the field; pressing it takes the picture out of the question. */
export function QueryPicture({ picture, onRemove }: QueryPictureProps) {
  const url = usePictureUrl(picture);
  return (
    <button
      type="button"
      class="query-picture"
      aria-label={t('search.remove_picture')}
      title={t('search.remove_picture')}
      onClick={onRemove}
    >
      {url ? <img src={url} alt={t('search.picture_alt')} /> : <Icon name="picture" />}
      <span class="query-picture-x">
        <Icon name="close" size={12} />
      </span>
    </button>
  );
}
