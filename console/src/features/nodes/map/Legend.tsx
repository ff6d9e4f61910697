/** What the colours and signs of the heat map mean; a person in it can be made to stand out. */
import type { ReactNode } from 'react';
import type { Node } from '@/api/nodes';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { useMe } from '@/app/session';
import { inService, ownersOf } from '../capacity';
import { fillOf, signOf } from './colours';
import type { Colouring } from '../search';
import style from './HeatMap.module.css';

const SHOWN_OWNERS = 10;
const TIMES: [fill: string, words: MessageKey][] = [
  ['time1', 'nodes.time1'],
  ['time2', 'nodes.time2'],
  ['time3', 'nodes.time3'],
  ['time4', 'nodes.time4'],
];

interface Props {
  nodes: Node[];
  colour: Colouring;
  owner: string | undefined;
  onOwner: (owner: string | undefined) => void;
}

export function Legend({ nodes, colour, owner, onOwner }: Props) {
  const t = useT();
  return (
    <div className={style.legend} role="group" aria-label={t('nodes.legend')}>
      {colour === 'owner' ? (
        <Owners nodes={nodes} owner={owner} onOwner={onOwner} />
      ) : (
        TIMES.map(([fill, words], at) => (
          <Entry key={fill} fill={fill} sign={at + 1}>
            {t(words)}
          </Entry>
        ))
      )}
      <Entry fill="free">{t('nodes.free')}</Entry>
      {nodes.some((node) => node.used.gpus % 1 > 0) && (
        <Entry fill="slate" part>
          {t('nodes.shared')}
        </Entry>
      )}
      {nodes.some((node) => node.gpus.length > 0 && node.foreign.gpus > 0) && <Entry fill="others">{t('nodes.othersHold')}</Entry>}
      {nodes.some((node) => !inService(node)) && <Entry fill="shut">{t('nodes.shut')}</Entry>}
    </div>
  );
}

function Owners({ nodes, owner, onOwner }: Omit<Props, 'colour'>) {
  const t = useT();
  const me = useMe().name;
  const owners = ownersOf(nodes);
  const first = owners.slice(0, SHOWN_OWNERS);
  // Whoever stands out is listed, whatever they hold.
  if (owner !== undefined && !first.some(([name]) => name === owner))
    first.push([owner, owners.find(([name]) => name === owner)?.[1] ?? 0]);
  const hidden = owners.length - first.length;
  return (
    <>
      {first.map(([name, gpus]) => (
        <button
          key={name}
          type="button"
          className={style.legendItem}
          aria-pressed={owner === name}
          title={t('nodes.highlight', { name })}
          onClick={() => onOwner(owner === name ? undefined : name)}
        >
          <Swatch fill={fillOf(name)} sign={signOf(name)} mine={name === me} />
          {name === me ? t('nodes.me') : name} · {t('nodes.gpuCount', { count: gpus })}
        </button>
      ))}
      {hidden > 0 && <span>{t('nodes.moreOwners', { count: hidden })}</span>}
    </>
  );
}

function Entry({ fill, sign, part, children }: { fill: string; sign?: ReactNode; part?: boolean; children: ReactNode }) {
  return (
    <span className={style.legendItem}>
      <Swatch fill={fill} sign={sign} part={part} />
      {children}
    </span>
  );
}

function Swatch({ fill, sign, part, mine }: { fill: string; sign?: ReactNode; part?: boolean | undefined; mine?: boolean }) {
  return (
    <span className={style.cell} data-fill={fill} data-part={part || undefined} data-mine={mine || undefined} aria-hidden="true">
      {sign}
    </span>
  );
}
