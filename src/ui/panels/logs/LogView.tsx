import { Clock, Download, History, Pause, Play, ScrollText, Undo2, WrapText } from 'lucide-preact';
import { useEffect, useMemo, useState, type ReactNode } from 'preact/compat';
import { useStore } from '../../store.ts';
import { Button, Empty, ErrorNote, Filter, IconButton, save, Select, Waiting } from '../../parts/index.ts';
import { go } from '../../stores/address.ts';
import { useObserver } from '../../stores/clients.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { findResource, useResources } from '../../stores/resources.ts';
import { useCluster } from '../../stores/session.ts';
import { createLogFeed, type LogState } from './feed.ts';
import type { LogLine } from './logBuffer.ts';
import { LogLines } from './LogLines.tsx';
import { searched } from './rows.ts';
import { containersOf, labelOf, sourcesOf, type LogSource, type LogTarget } from './sources.ts';
import styles from './logs.module.css';

/** The logs of a pod, or of all pods that a workload's selector finds, as they are written. */
export default function LogView({ target }: { readonly target: LogTarget }) {
  const { past } = useCluster();
  return past ? <NotKept /> : <Live target={target} />;
}

/** Logs lie on nodes, and storage never had them. */
function NotKept() {
  return (
    <Empty
      icon={ScrollText}
      title="Logs are not part of the past"
      action={
        <Button look="primary" icon={Undo2} onClick={() => go({ query: { at: undefined } })}>
          Back to now
        </Button>
      }
    >
      Logs are kept by nodes, not in storage, so no revision has them. A pod’s status and events are kept: see “A pod’s
      life” under Lifecycle.
    </Empty>
  );
}

function Live({ target }: { readonly target: LogTarget }) {
  const [previous, setPrevious] = useState(false);
  const [container, setContainer] = useState('');
  const pods = usePods(target);
  const names = [...new Set(pods.objects.flatMap(containersOf))];
  const sources = sourcesOf(pods.objects, container, previous);
  if (pods.phase === 'refused')
    return <ErrorNote title="You may not read these pods.">{pods.problem?.message}</ErrorNote>;
  if (pods.phase === 'loading') return <Waiting />;
  return (
    <Reading
      // Lines that were read under another choice are not mixed with these.
      key={`${previous} ${container}`}
      target={target}
      sources={sources}
      previous={previous}
      choice={
        <>
          <Select
            aria-label="Container"
            className={styles.choice}
            value={container}
            options={[
              { value: '', label: names.length === 1 ? (names[0] ?? '') : 'All containers' },
              ...(names.length === 1 ? [] : names.map((value) => ({ value, label: value }))),
            ]}
            onValue={setContainer}
          />
          <IconButton
            icon={History}
            label="The container before its last restart"
            pressed={previous}
            onClick={() => setPrevious(!previous)}
          />
        </>
      }
    />
  );
}

function usePods({ namespace, pod, labelSelector }: LogTarget): ReturnType<typeof useLiveObjects> {
  const resource = useResources((state) => findResource(state.resources, 'core', 'pods'));
  return useLiveObjects(
    resource && {
      resource,
      namespace,
      ...(pod === undefined ? { labelSelector: labelSelector ?? '' } : { fieldSelector: `metadata.name=${pod}` }),
    },
  );
}

interface ReadingProps {
  readonly target: LogTarget;
  readonly sources: readonly LogSource[];
  readonly previous: boolean;
  readonly choice: ReactNode;
}

function Reading({ target, sources, previous, choice }: ReadingProps) {
  const [reading, setReading] = useState(0);
  const state = useFeed(sources, previous, reading);
  const [search, setSearch] = useState('');
  const [times, setTimes] = useState(false);
  const [wrap, setWrap] = useState(false);
  const [paused, setPaused] = useState<readonly LogLine[]>();
  const lines = paused ?? state.lines;
  const shown = useMemo(() => searched(lines, search), [lines, search]);
  const names = useNames(sources);
  return (
    <section className={styles.view} aria-label={`Logs of ${target.title}`}>
      <div className={styles.bar}>
        {choice}
        <span className={styles.search}>
          <Filter label="Search the log" value={search} onText={setSearch} />
        </span>
        <span className={styles.count} role="status">
          {countText(state, lines, shown, paused !== undefined)}
        </span>
        <IconButton icon={Clock} label="Times" pressed={times} onClick={() => setTimes(!times)} />
        <IconButton icon={WrapText} label="Wrap long lines" pressed={wrap} onClick={() => setWrap(!wrap)} />
        <IconButton
          icon={paused ? Play : Pause}
          label={paused ? 'Go on' : 'Pause'}
          pressed={paused !== undefined}
          onClick={() => setPaused(paused ? undefined : state.lines)}
        />
        <IconButton
          icon={Download}
          label="Download"
          unavailable={lines.length === 0 && 'There are no lines yet.'}
          onClick={() => download(target, lines, names)}
        />
      </div>
      {[...state.problems].map(([key, problem]) => (
        <p key={key} className={styles.problem}>
          {names.get(key)?.name}: {problem}{' '}
          <Button look="quiet" onClick={() => setReading(reading + 1)}>
            Read again
          </Button>
        </p>
      ))}
      {shown.length === 0 ? (
        <Nothing sources={sources} previous={previous} searching={lines.length > 0} />
      ) : (
        <LogLines lines={shown} names={names.size > 1 ? names : NO_NAMES} search={search} times={times} wrap={wrap} />
      )}
    </section>
  );
}

type Names = ReadonlyMap<string, { readonly name: string; readonly colour: number }>;
const NO_NAMES: Names = new Map();

/** The names of all sources that were ever followed here: lines of those that are gone stay. */
function useNames(sources: readonly LogSource[]): Names {
  const [names, setNames] = useState(NO_NAMES);
  const keys = sources.map(({ key }) => key).join(' ');
  useEffect(() => {
    setNames((before) => {
      const names = new Map(before);
      for (const source of sources) {
        const name = labelOf(source, sources);
        const sameName = [...names.values()].find((each) => each.name === name);
        names.set(source.key, { name, colour: names.get(source.key)?.colour ?? sameName?.colour ?? names.size });
      }
      return names;
    });
    // The keys say which sources these are.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [keys]);
  return names;
}

const EMPTY: LogState = { lines: [], dropped: 0, problems: new Map(), open: 0 };

/** What is read of sources, anew whenever `reading` is another number. */
function useFeed(sources: readonly LogSource[], previous: boolean, reading: number): LogState {
  const client = useObserver();
  const [feed, setFeed] = useState<ReturnType<typeof createLogFeed>>();
  useEffect(() => {
    const made = createLogFeed(client);
    setFeed(made);
    return () => made.stop();
  }, [client, reading]);
  const keys = sources.map(({ key }) => key).join(' ');
  useEffect(() => {
    feed?.follow(sources, previous);
    // The keys say which sources these are.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [feed, keys, previous]);
  return useFeedState(feed);
}

function useFeedState(feed: ReturnType<typeof createLogFeed> | undefined): LogState {
  const [none] = useState(() => ({
    subscribe: () => () => undefined,
    getState: () => EMPTY,
    getInitialState: () => EMPTY,
  }));
  return useStore(feed?.store ?? none);
}

function countText(state: LogState, lines: readonly LogLine[], shown: readonly LogLine[], paused: boolean): string {
  const count = shown.length === lines.length ? String(lines.length) : `${shown.length} of ${lines.length}`;
  const newer = paused ? state.lines.length + state.dropped - lines.length : 0;
  const more = [
    ...(paused ? [`paused${newer > 0 ? `, ${newer} newer` : ''}`] : []),
    ...(state.dropped > 0 ? [`${state.dropped} older ones dropped`] : []),
  ];
  return [`${count} ${lines.length === 1 ? 'line' : 'lines'}`, ...more].join(', ');
}

function Nothing({
  sources,
  previous,
  searching,
}: Pick<ReadingProps, 'sources' | 'previous'> & { readonly searching: boolean }) {
  if (searching)
    return (
      <Empty icon={ScrollText} title="No line matches">
        Try fewer letters.
      </Empty>
    );
  if (sources.length > 0)
    return (
      <Empty icon={ScrollText} title="No lines yet">
        What the program writes to its output appears here at once.
      </Empty>
    );
  return (
    <Empty icon={ScrollText} title={previous ? 'No container was restarted' : 'No container has started'}>
      {previous
        ? 'The log of a container that crashed appears here after its restart.'
        : 'Lines appear here as soon as a container runs.'}
    </Empty>
  );
}

function download(target: LogTarget, lines: readonly LogLine[], names: Names): void {
  const text = lines.map(({ time, source, text }) =>
    [time, ...(names.size > 1 ? [names.get(source)?.name ?? ''] : []), text].join(' '),
  );
  const name = target.title.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
  save(new Blob([`${text.join('\n')}\n`], { type: 'text/plain' }), `${name}.log`);
}
