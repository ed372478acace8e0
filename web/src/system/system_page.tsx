import { useEffect, useState } from 'preact/hooks';
import { getSystem, listModels } from '../api/client';
import type { Model, Space, SystemInfo } from '../api/types';
import { bytes } from '../i18n/format';
import { t, tMaybe } from '../i18n/i18n';
import { ErrorNote } from '../ui/notes';
import { useLoaded } from '../view/use_document';

const refreshMs = 5000;

/** Counts come as a number or as a number by kind. */
function total(count: number | Record<string, number> | null | undefined): number | null {
  if (count === null || count === undefined) return null;
  if (typeof count === 'number') return count;
  return typeof count['total'] === 'number'
    ? count['total']
    : Object.values(count).reduce((sum, one) => sum + one, 0);
}

export function SystemPage() {
  const [tick, setTick] = useState(0);
  const [system, setSystem] = useState<SystemInfo | null>(null);
  const models = useLoaded('models', (signal) => listModels(signal));
  const answer = useLoaded(`system ${tick}`, (signal) => getSystem(signal));
  useEffect(() => {
    document.title = t('app.title_of', { part: t('nav.system') });
    const timer = window.setInterval(() => setTick((count) => count + 1), refreshMs);
    return () => window.clearInterval(timer);
  }, []);
  useEffect(() => {
    if (answer.value) setSystem(answer.value);
  }, [answer.value]);
  return (
    <main class="system" id="main">
      <h1>{t('nav.system')}</h1>
      {answer.error && <ErrorNote error={answer.error} />}
      {system && <Facts system={system} />}
      <section>
        <h2>{t('system.models')}</h2>
        {models.error && <ErrorNote error={models.error} />}
        {models.value && <ModelTable models={models.value} />}
      </section>
      {system && system.spaces?.length > 0 && (
        <section>
          <h2>{t('system.spaces')}</h2>
          <SpaceTable spaces={system.spaces} />
        </section>
      )}
    </main>
  );
}

function Facts({ system }: { system: SystemInfo }) {
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? t('system.not_measured') : value.toLocaleString();
  const facts: [string, string][] = [
    [t('system.documents'), number(total(system.documents))],
    [t('system.units'), number(total(system.units))],
    [
      t('system.storage'),
      system.data_dir_bytes === null ? t('system.not_measured') : bytes(system.data_dir_bytes),
    ],
    [t('system.queued'), number(system.queue?.queued)],
    [t('system.running'), number(system.queue?.running)],
    [t('system.failed'), number(system.queue?.failed)],
    [t('system.version'), system.version],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div class="fact" key={name}>
          <dt>{name}</dt>
          <dd class="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ModelTable({ models }: { models: readonly Model[] }) {
  return (
    <div class="table-wrap" tabIndex={0} role="region" aria-label={t('system.models')}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t('system.model')}</th>
            <th scope="col">{t('system.model_kind')}</th>
            <th scope="col">{t('system.state')}</th>
            <th scope="col">{t('system.licence')}</th>
            <th scope="col" class="table-number">
              {t('system.dims')}
            </th>
            <th scope="col">{t('system.digest')}</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.name}>
              <th scope="row">
                {model.name}
                <span class="table-source">{model.source}</span>
              </th>
              <td>{tMaybe(`model_kind.${model.kind}`) ?? model.kind}</td>
              <td>
                <span class={`state state-${stateWord(model.state)}`} title={model.state}>
                  {tMaybe(`model_state.${stateWord(model.state)}`) ?? model.state}
                </span>
              </td>
              <td>{model.licence ?? ''}</td>
              <td class="table-number number">{model.dims ? model.dims : ''}</td>
              <td>
                <code title={model.digest ?? ''}>{shortDigest(model.digest)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {models.length === 0 && <p class="table-empty">{t('system.no_models')}</p>}
    </div>
  );
}

/** The state without what follows it («damaged: …»). */
function stateWord(state: string): string {
  return state.split(':')[0] ?? state;
}

function shortDigest(digest: string | null): string {
  return (digest ?? '').replace(/^sha256:/, '').slice(0, 12);
}

function SpaceTable({ spaces }: { spaces: readonly (Space | string)[] }) {
  const rows = spaces.map((space) => (typeof space === 'string' ? { name: space } : space));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, 7);
  const text = (value: unknown) =>
    typeof value === 'number' ? value.toLocaleString() : typeof value === 'string' ? value : '';
  return (
    <div class="table-wrap" tabIndex={0} role="region" aria-label={t('system.spaces')}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {tMaybe(`space.${column}`) ?? column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => {
                const value = (row as Record<string, unknown>)[column];
                return (
                  <td key={column} class={typeof value === 'number' ? 'number' : 'table-cut'}>
                    {text(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
