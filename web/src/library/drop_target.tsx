// Files can be dropped anywhere on the page; they go to the library.
import { useEffect, useState } from 'preact/hooks';
import { libraryHref } from '../address';
import { t } from '../i18n/i18n';
import { navigate } from '../router';
import { Icon } from '../ui/icons';
import { carriesFiles, droppedFiles } from './dropped_files';
import { addUploads } from './uploads';

export function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      const onField = event.target instanceof Element && event.target.closest('.field') !== null;
      setOver(!onField);
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (event.defaultPrevented || !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      void droppedFiles(event.dataTransfer!).then((files) => {
        if (files.length === 0) return;
        addUploads(files, []);
        if (location.pathname !== '/library') navigate(libraryHref(null, '', null));
      });
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  if (!over) return null;
  return (
    <div class="drop-veil" aria-hidden="true">
      <div class="drop-box">
        <Icon name="upload" size={36} />
        <p>{t('upload.drop_here')}</p>
      </div>
    </div>
  );
}
