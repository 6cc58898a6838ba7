import { BadgeCheck, Database, KeyRound, ListChecks, ShieldCheck, type LucideIcon } from 'lucide-preact';
import { later, Tooltip } from '../../parts/index.ts';
import { useRevision } from '../../stores/following.ts';
import { useCluster } from '../../stores/session.ts';
import { useGlass } from './hooks.ts';
import { Idle } from './Idle.tsx';
import { stages, type Stage, type StageText } from './model/stages.ts';
import styles from './Picture.module.css';

const icons: Readonly<Record<Stage, LucideIcon>> = {
  authentication: KeyRound,
  authorization: ShieldCheck,
  admission: ListChecks,
  validation: BadgeCheck,
  storage: Database,
};

/** The API server: the stages that every request passes, and the revision that the last write made. */
export function Server() {
  return (
    <section className={styles.server} aria-label="API server">
      <h2 className={styles.heading}>API server</h2>
      <div className={styles.room}>
        <ol className={styles.stages} data-box="server">
          {stages.map((stage) => (
            <StageItem key={stage.stage} stage={stage} />
          ))}
        </ol>
        <div className={styles.caption} data-box="caption">
          <Idle />
        </div>
      </div>
    </section>
  );
}

function StageItem({ stage: { stage, title, question, about } }: { readonly stage: StageText }) {
  const Icon = icons[stage];
  return (
    <li className={styles.stageItem} data-box={`stage:${stage}`}>
      <Tooltip text={about}>
        <button type="button" className={styles.stageName}>
          <Icon className={styles.icon} aria-hidden />
          <span>{title}</span>
        </button>
      </Tooltip>
      <span className={styles.question}>{question}</span>
      {stage === 'storage' && <RevisionCounter />}
      {stage === 'admission' && <Webhooks />}
    </li>
  );
}

function RevisionCounter() {
  const { engine } = useGlass();
  const heard = useRevision();
  const { past } = useCluster();
  const { picture } = engine;
  const shown = picture.revision || past?.moment.revision;
  const revision = engine.behind === 0 && !past ? Math.max(picture.revision, heard) : (shown ?? '–');
  return (
    <span className={styles.revision} data-box="revision">
      <span className={styles.counter}>{revision}</span>
      <span className={styles.note}>revision</span>
    </span>
  );
}

const WebhookNodes = later(() => import('./WebhookNodes.tsx'), null);

/** The webhooks that were asked. */
function Webhooks() {
  const { recording } = useGlass().engine;
  const names = new Set([...recording.requests.values()].slice(-200).flatMap(({ webhooks }) => webhooks));
  return names.size > 0 && <WebhookNodes names={[...names]} />;
}
