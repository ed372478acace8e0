import { t, tMaybe } from '../i18n/i18n';

/** Why a hit was found, as small labels. */
export function Why({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <ul class="why" aria-label={t('why.label')}>
      {reasons.map((reason) => (
        <li key={reason} title={tMaybe(`why.${reason}.help`) ?? undefined}>
          {tMaybe(`why.${reason}`) ?? reason}
        </li>
      ))}
    </ul>
  );
}
