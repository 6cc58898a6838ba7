import { Gauge, Play, Square, Trash2 } from 'lucide-preact';
import { useEffect, useState, type FormEvent } from 'preact/compat';
import { Button, Empty, ErrorNote, NumberField, Segmented } from '../../parts/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { useCluster } from '../../stores/session.ts';
import { endLoad, findLoad, isBusy, startLoad, stopLoad, useLoad, type Load } from '../../load/load.ts';
import { durationText, rateOf, secondsLeft } from '../../load/pace.ts';
import { count, presets, problemWith, type LoadPlan } from '../../load/plan.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import styles from './load.module.css';

/** Makes a large cluster of the open one: how large, how far it is, stop, remove. */
export default function LoadDock() {
  const load = useLoad();
  const problem = useFound();
  return (
    <section className={styles.load} aria-label="Load">
      {problem !== undefined && <ErrorNote title="What earlier loads have left was not found.">{problem}</ErrorNote>}
      {load.phase === 'idle' ? <Nothing /> : <Run load={load} />}
    </section>
  );
}

/** Before anything was asked for. */
function Nothing() {
  const { past } = useCluster();
  if (!past) return <Form />;
  return (
    <Empty icon={Gauge} title="The past cannot be changed">
      Go back to the present to make this cluster larger.
    </Empty>
  );
}

/** Looks for an earlier load when the tab is opened; returns what went wrong with that. */
function useFound(): string | undefined {
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    findLoad().catch((error: unknown) => setProblem(messageOf(error)));
  }, []);
  return problem;
}

const textOf = ({ pods }: LoadPlan): string => `${count(pods)} pods`;

const numberIn = (text: string): number => (/^\d[\d, ]*$/.test(text) ? Number(text.replaceAll(/[, ]/g, '')) : NaN);

function Form() {
  const [draft, setDraft] = useState({ nodes: '100', pods: '1000' });
  const plan = { nodes: numberIn(draft.nodes), pods: numberIn(draft.pods) };
  const problem = problemWith(plan);
  const start = (event: FormEvent<HTMLElement>): void => {
    event.preventDefault();
    void startLoad(plan);
  };
  return (
    <form className={styles.form} onSubmit={start} aria-label="New load">
      <p className={styles.about}>
        Adds simulated nodes, and Deployments with pods in the namespace <code>load</code>. Everything else stays as it
        is, and you can go on working meanwhile.
      </p>
      <Segmented
        label="How large"
        value={String(presets.findIndex(({ nodes, pods }) => nodes === plan.nodes && pods === plan.pods))}
        choices={presets.map((preset, index) => ({ value: String(index), label: textOf(preset) }))}
        onValue={(index) => {
          const preset = presets[Number(index)];
          if (preset) setDraft({ nodes: String(preset.nodes), pods: String(preset.pods) });
        }}
      />
      <div className={styles.fields}>
        <NumberField label="Nodes" value={draft.nodes} onText={(nodes) => setDraft({ ...draft, nodes })} />
        <NumberField label="Pods" value={draft.pods} onText={(pods) => setDraft({ ...draft, pods })} />
        <Button look="primary" type="submit" icon={Play} unavailable={problem}>
          Start
        </Button>
        <CommandsButton of={{ label: 'Start', none: BY_PIECES }} />
      </div>
      <p className={styles.hint} aria-live="polite">
        {problem ?? costOf(plan)}
      </p>
    </form>
  );
}

/** Why no command line does it. */
const BY_PIECES =
  'Thousands of nodes and Deployments are made or removed, a few at a time, as fast as the cluster takes them. Requests shows each.';

/** What a load takes, as measured in a tab (docs/performance.md, A large cluster in a tab): enough to choose by. */
const MB_PER_POD = 0.04;
const MB_PER_NODE = 0.16;
const SECONDS_PER_POD = 0.011;
const SECONDS_PER_NODE = 0.011;

function costOf({ nodes, pods }: LoadPlan): string {
  const megabytes = nodes * MB_PER_NODE + pods * MB_PER_POD;
  const memory =
    megabytes < 1_000 ? `${count(Math.ceil(megabytes / 50) * 50)} MB` : `${(megabytes / 1_000).toFixed(1)} GB`;
  const time = durationText(nodes * SECONDS_PER_NODE + pods * SECONDS_PER_POD);
  return `Takes about ${memory} of memory, and ${time}; on a fast machine less.`;
}

const titles: Readonly<Record<Load['phase'], string>> = {
  idle: '',
  nodes: 'Making nodes',
  pods: 'Making pods',
  done: 'All pods run',
  stopped: 'Stopped: what was made stays',
  failed: 'It failed: what was made stays',
  removing: 'Removing what was made',
};

function Run({ load }: { readonly load: Load }) {
  const { phase, plan, took } = load;
  const busy = isBusy(load);
  const { past } = useCluster();
  const unavailable = past && 'Go back to the present first.';
  return (
    <div className={styles.run}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          <span role="status">
            {titles[phase]}
            {took !== undefined && <span className={styles.took}> after {durationText(took / 1_000)}</span>}
          </span>
        </h2>
        {(phase === 'nodes' || phase === 'pods') && (
          <Button icon={Square} onClick={stopLoad}>
            Stop
          </Button>
        )}
        {!busy && plan && phase !== 'done' && (
          <Button icon={Play} unavailable={unavailable ?? problemWith(plan)} onClick={() => void startLoad(plan)}>
            Go on
          </Button>
        )}
        {!busy && (
          <Button icon={Trash2} look="danger" unavailable={unavailable} onClick={() => void endLoad()}>
            Remove what was made
          </Button>
        )}
        <CommandsButton of={{ label: 'Load', none: BY_PIECES }} />
      </div>
      {phase === 'removing' ? (
        <progress className={styles.bar} aria-label="Removal" />
      ) : (
        plan && <Bars load={load} plan={plan} />
      )}
      {load.problem !== undefined && (
        <p className={styles.problem} role="alert">
          {load.problem}
        </p>
      )}
    </div>
  );
}

function Bars({ load, plan }: { readonly load: Load; readonly plan: LoadPlan }) {
  const { phase, nodes, pods, samples } = load;
  const rate = rateOf(samples);
  const paceOf = (which: Load['phase'], left: number): string | undefined => {
    if (phase !== which) return undefined;
    const seconds = secondsLeft(left, rate);
    if (rate === undefined || seconds === undefined) return 'measuring';
    return `${rate < 10 ? rate.toFixed(1) : count(rate)} a second · about ${durationText(seconds)} left`;
  };
  return (
    <dl className={styles.bars}>
      <Bar name="Nodes ready" done={nodes.done} of={plan.nodes} pace={paceOf('nodes', plan.nodes - nodes.done)} />
      <Bar name="Pods running" done={pods.done} of={plan.pods} pace={paceOf('pods', plan.pods - pods.done)} />
    </dl>
  );
}

interface BarProps {
  readonly name: string;
  readonly done: number;
  readonly of: number;
  /** How fast it goes, while it goes. */
  readonly pace: string | undefined;
}

function Bar({ name, done, of, pace }: BarProps) {
  return (
    <div className={styles.row}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>
        <progress className={styles.bar} aria-label={name} value={Math.min(done, of)} max={Math.max(of, 1)} />
        <span className={styles.count}>
          {count(done)} of {count(of)}
        </span>
        <span className={styles.pace}>{pace}</span>
      </dd>
    </div>
  );
}
