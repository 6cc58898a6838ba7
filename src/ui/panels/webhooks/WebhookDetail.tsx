import { RotateCw, Save, Trash2 } from 'lucide-preact';
import { useState } from 'preact/compat';
import type { WebhookCall } from '../../../trace/index.ts';
import { JavaScriptEditor } from '../../editor/JavaScriptEditor.tsx';
import { Button, Dialog, Field, IconButton, Ident, Section, Select, TextInput } from '../../parts/index.ts';
import { useCluster } from '../../stores/session.ts';
import { perform } from '../../stores/writes.ts';
import { WriteButton } from '../commands/WriteButton.tsx';
import { restartWith, webhookDeletion, webhookSaving } from './actions.ts';
import { CallList } from './CallList.tsx';
import { examples } from './examples.ts';
import { wiringOf } from './wiring.ts';
import type { Knob, Written } from './written.ts';
import { startsElsewhere } from '../settings/startsElsewhere.ts';
import styles from './WebhooksPanel.module.css';

const FAULTS = [
  { value: '', label: 'Answers as it is written' },
  { value: '500', label: 'Status 500' },
  { value: '503', label: 'Status 503' },
  { value: 'reset', label: 'Breaks the connection' },
  { value: 'timeout', label: 'Never answers' },
  { value: 'garbage', label: 'Answers with garbage' },
  { value: 'empty', label: 'Answers with an empty object' },
  { value: 'wrong-uid', label: 'Answers another request' },
] as const;
type Fault = (typeof FAULTS)[number]['value'];

const isFault = (text: string): text is Fault => FAULTS.some(({ value }) => value === text);

interface DetailProps {
  readonly written: Written;
  readonly calls: readonly WebhookCall[];
}

/** One webhook: its code, its knobs, its calls. */
export default function WebhookDetail({ written, calls }: DetailProps) {
  // Until something is edited, what others change is shown at once.
  const [draft, setDraft] = useState<Pick<Written, 'code' | 'knobs'>>();
  const { code, knobs } = draft ?? written;
  const changed = code !== written.code || JSON.stringify(knobs) !== JSON.stringify(written.knobs);
  const saving = webhookSaving(written, code, knobs);
  const saved = (): void => setDraft(undefined);
  const save = (): void => void perform(saving).then((got) => got && saved());
  const own = calls.filter(({ webhook }) => webhook.name === written.name && webhook.namespace === written.namespace);
  return (
    <div className={styles.detail}>
      <header className={styles.head}>
        <Ident>{written.address}</Ident>
        <span className={styles.end}>
          <DeleteButton written={written} />
          <WriteButton
            look="primary"
            icon={Save}
            unavailable={!changed && 'Nothing was changed.'}
            write={saving}
            onDone={saved}
          />
        </span>
      </header>
      <Wiring written={written} />
      <Knobs knobs={knobs} onKnob={(knob, value) => setDraft({ code, knobs: { ...knobs, [knob]: value } })} />
      <div className={styles.code}>
        <JavaScriptEditor
          name={`${written.namespace}/${written.name}`}
          text={code}
          onText={(text) => text !== code && setDraft({ code: text, knobs })}
          onSave={save}
        />
      </div>
      <div className={styles.section}>
        <Section title="Last calls">
          <CallList calls={own} />
        </Section>
      </div>
    </div>
  );
}

/** Asks before it deletes what belongs together. */
function DeleteButton({ written }: { readonly written: Written }) {
  const [asking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  return (
    <>
      <IconButton icon={Trash2} label="Delete" onClick={() => setAsking(true)} />
      <Dialog
        open={asking}
        onClose={close}
        title="Delete this webhook?"
        about={
          <>
            <Ident>{written.name}</Ident>, its service, and the configuration that an example came with.
          </>
        }
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <WriteButton
              look="danger"
              write={webhookDeletion(written, exampleOf(written))}
              onDone={close}
              onLeave={close}
            />
          </>
        }
      />
    </>
  );
}

const exampleOf = ({ name }: Written) => examples.find((example) => example.name === name);

/** For webhooks that the API server asks by its flags: the restart that has it do so. */
function Wiring({ written }: { readonly written: Written }) {
  const { cluster, names } = useCluster();
  const example = exampleOf(written);
  const wiring = example && wiringOf(example, written.namespace, names);
  if (!wiring) return null;
  const asked = wiring.flags.every((flag) => cluster.options[wiring.component]?.includes(flag));
  return (
    <div className={styles.wiring}>
      <p>
        The {wiring.component === 'scheduler' ? 'scheduler' : 'API server'}{' '}
        {asked ? 'asks it by ' : 'asks it once it runs with '}
        {wiring.flags.map((flag) => (
          <code key={flag}>{flag} </code>
        ))}
      </p>
      {!asked && (
        <Button icon={RotateCw} unavailable={startsElsewhere(cluster)} onClick={() => void restartWith(wiring)}>
          Restart with these flags
        </Button>
      )}
    </div>
  );
}

interface KnobsProps {
  readonly knobs: Readonly<Record<Knob, string>>;
  readonly onKnob: (knob: Knob, value: string) => void;
}

function Knobs({ knobs, onKnob }: KnobsProps) {
  const { fail } = knobs;
  return (
    <div className={styles.knobs}>
      <Field label="How it answers">
        {(ids) => (
          <Select
            {...ids}
            value={isFault(fail) ? fail : ''}
            options={FAULTS}
            onValue={(value) => onKnob('fail', value)}
          />
        )}
      </Field>
      <Field label="Delay" hint="2s, 500ms">
        {(ids) => <TextInput {...ids} code value={knobs.delay} onText={(value) => onKnob('delay', value)} />}
      </Field>
      <Field label="Path" hint="any where empty">
        {(ids) => <TextInput {...ids} code value={knobs.path} onText={(value) => onKnob('path', value)} />}
      </Field>
      <Field label="Certificate" hint="a secret; issued by the cluster where empty">
        {(ids) => (
          <TextInput {...ids} code value={knobs.certificate} onText={(value) => onKnob('certificate', value)} />
        )}
      </Field>
    </div>
  );
}
