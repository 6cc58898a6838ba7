import { Plus } from 'lucide-preact';
import { useState, type FormEvent } from 'preact/compat';
import { Button, Select, Switch, TextInput } from '../../parts/index.ts';
import { useAddress } from '../../stores/address.ts';
import { useRevision } from '../../stores/following.ts';
import { useUserName } from '../../stores/requests.ts';
import { findResource, useResources, type Resource } from '../../stores/resources.ts';
import { openWatch, queryOf, type WatchSpec } from '../../stores/watches.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { getCommand, rawListCommand } from '../commands/readings.ts';
import ResourcePicker from '../explore/ResourcePicker.tsx';
import { useAskedResource } from './asked.ts';
import styles from './NewWatch.module.css';

type Start = 'now' | 'any' | 'revision';

const starts = [
  { value: 'now', label: 'State now, then changes' },
  { value: 'any', label: 'Any state (0), then changes' },
  { value: 'revision', label: 'Changes after a revision' },
] as const;

/** What is to be watched, and from where. */
export function NewWatch() {
  const resources = useResources((state) => state.resources);
  const asked = useAskedResource();
  const [chosen, setChosen] = useState<Resource>();
  const resource = chosen ?? asked ?? findResource(resources, 'core', 'pods');
  const namespace = useAddress((address) => address.query['ns'] ?? '');
  const user = useUserName();
  const revision = useRevision();
  const [labelSelector, setLabels] = useState('');
  const [fieldSelector, setFields] = useState('');
  const [start, setStart] = useState<Start>('now');
  const [from, setFrom] = useState('');
  const [bookmarks, setBookmarks] = useState(true);
  const [timeout, setLimit] = useState('');
  if (!resource) return null;
  const spec = (): WatchSpec => ({
    ...{ resource, labelSelector, fieldSelector, bookmarks, timeout },
    namespace: resource.namespaced ? namespace : '',
    from: { now: '', any: '0', revision: from || String(revision) }[start],
  });
  const open = (event: FormEvent<HTMLElement>): void => {
    event.preventDefault();
    openWatch(spec(), user);
  };
  return (
    <form className={styles.form} onSubmit={open}>
      <span className={styles.what}>
        <ResourcePicker current={resource} onChoose={setChosen} />
        <span className={styles.where}>
          {resource.namespaced ? `in ${namespace || 'all namespaces'}` : 'in the cluster'}
        </span>
      </span>
      <TextInput
        aria-label="Label selector"
        placeholder="Labels, e.g. app=web"
        className={styles.selector}
        value={labelSelector}
        onText={setLabels}
      />
      <TextInput
        aria-label="Field selector"
        placeholder="Fields, e.g. spec.nodeName=node-1"
        className={styles.selector}
        value={fieldSelector}
        onText={setFields}
      />
      <Select aria-label="Start" className={styles.start} value={start} options={starts} onValue={setStart} />
      {start === 'revision' && (
        <TextInput
          aria-label="Revision"
          inputMode="numeric"
          placeholder={String(revision)}
          className={styles.number}
          value={from}
          onText={setFrom}
        />
      )}
      <TextInput
        aria-label="Timeout in seconds"
        inputMode="numeric"
        placeholder="Timeout, s"
        className={styles.number}
        value={timeout}
        onText={setLimit}
      />
      <Switch label="Bookmarks" checked={bookmarks} onChecked={setBookmarks} />
      <Button type="submit" look="primary" icon={Plus}>
        Open watch
      </Button>
      <CommandsButton of={{ label: 'Open watch', commands: () => [watchCommand(spec())] }} />
    </form>
  );
}

/** `get -w` lists first, and goes on as long as it can: another beginning or an end takes the request as it is. */
const watchCommand = (spec: WatchSpec): string =>
  spec.from === '' && spec.timeout === '' ? getCommand(spec, ['-w']) : rawListCommand(spec, queryOf(spec, spec.from));
