import { CirclePause, Trash2 } from 'lucide-preact';
import { useId, useState, type FormEvent } from 'preact/compat';
import type { Breakpoint } from '../../../../trace/index.ts';
import { Button, Field, IconButton, Section, Select, Switch, TextInput } from '../../../parts/index.ts';
import { addBreakpoint, removeBreakpoint, switchBreakpoint, useBreakpoints } from '../../../stores/breakpoints.ts';
import { useResources } from '../../../stores/resources.ts';
import { breakpointText, stepName } from './words.ts';
import styles from './breakpoints.module.css';

const verbs = ['', 'create', 'update', 'patch', 'delete', 'deletecollection', 'get', 'list', 'watch'].map((verb) => ({
  value: verb,
  label: verb || 'any verb',
}));

/** What to hold, and where. */
export function BreakpointForm() {
  const steps = useBreakpoints((state) => state.steps);
  const [verb, setVerb] = useState('create');
  const [resource, setResource] = useState('pods');
  const [user, setUser] = useState('');
  const [before, setBefore] = useState('validation');
  const set = (event: FormEvent<HTMLElement>): void => {
    event.preventDefault();
    void addBreakpoint({ before, verb, resource: resource.trim(), user: user.trim() });
  };
  return (
    <Section title="Hold requests">
      <form className={styles.form} onSubmit={set}>
        <div className={styles.pair}>
          <Field label="Verb">{(ids) => <Select {...ids} value={verb} options={verbs} onValue={setVerb} />}</Field>
          <ResourceField resource={resource} onResource={setResource} />
        </div>
        <Field label="User" hint="Empty: everybody but the cluster’s own components.">
          {(ids) => <TextInput {...ids} code value={user} onText={setUser} />}
        </Field>
        <Field label="Before">
          {(ids) => (
            <Select
              {...ids}
              value={before}
              options={steps.map((step) => ({ value: step, label: stepName(step) }))}
              onValue={setBefore}
            />
          )}
        </Field>
        <Button
          type="submit"
          look="primary"
          icon={CirclePause}
          unavailable={steps.length === 0 && 'This host holds no requests.'}
        >
          Set the breakpoint
        </Button>
      </form>
    </Section>
  );
}

function ResourceField({
  resource,
  onResource,
}: {
  readonly resource: string;
  readonly onResource: (text: string) => void;
}) {
  const list = useId();
  const resources = useResources((state) => state.resources);
  const names = [...new Set(resources.map((each) => each.resource))].sort();
  return (
    <Field label="Resource">
      {(ids) => (
        <>
          <TextInput {...ids} code list={list} placeholder="any resource" value={resource} onText={onResource} />
          <datalist id={list}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** The breakpoints that there are. */
export function BreakpointList() {
  const { set, off } = useBreakpoints();
  const all = [...set, ...off].sort((a, b) => Number(a.id) - Number(b.id));
  if (all.length === 0) return null;
  return (
    <Section title="Breakpoints">
      <ul className={styles.list} aria-label="Breakpoints">
        {all.map((each) => (
          <BreakpointItem key={each.id} breakpoint={each} on={set.includes(each)} />
        ))}
      </ul>
      <p className={styles.faint}>
        Breakpoints last until the cluster is opened again. A request that waits at one goes on when it is switched off
        or removed.
      </p>
    </Section>
  );
}

function BreakpointItem({ breakpoint, on }: { readonly breakpoint: Breakpoint; readonly on: boolean }) {
  const text = breakpointText(breakpoint);
  return (
    <li className={styles.breakpoint}>
      <Switch
        label={
          <span className={styles.text}>
            {text}
            <span className={styles.faint}>before {stepName(breakpoint.before)}</span>
          </span>
        }
        checked={on}
        onChecked={(next) => void switchBreakpoint(breakpoint, next)}
      />
      <IconButton icon={Trash2} label={`Remove: ${text}`} onClick={() => void removeBreakpoint(breakpoint.id)} />
    </li>
  );
}
