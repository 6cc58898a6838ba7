import { useState } from 'preact/compat';
import { stringify } from 'yaml';
import type { Pod } from '../../../client/index.ts';
import { Field, Select, TextArea } from '../../parts/index.ts';
import { useCluster } from '../../stores/session.ts';
import { parseRules, presetsFor, rulesText, withRules } from './draftRules.ts';

interface RuleFieldProps {
  readonly pod: Pod;
  readonly onPod: (pod: Pod) => void;
}

/** Affinity, anti-affinity and spreading of the drafted pod, as YAML; what is typed counts as soon as it makes sense. */
export default function RuleField({ pod, onPod }: RuleFieldProps) {
  const { names } = useCluster();
  const [typed, setTyped] = useState<string>();
  const rules = typed === undefined ? undefined : parseRules(typed);
  const type = (text: string): void => {
    setTyped(text);
    const next = parseRules(text);
    if (typeof next !== 'string') onPod(withRules(pod, next));
  };
  const presets = presetsFor(pod.metadata.labels ?? {}, names);
  return (
    <>
      <Field label="Begin with a rule">
        {(ids) => (
          <Select
            {...ids}
            value=""
            options={[
              { value: '', label: 'Choose one' },
              ...presets.map(({ title }) => ({ value: title, label: title })),
            ]}
            onValue={(title) => {
              const preset = presets.find((each) => each.title === title);
              if (preset) type(stringify(preset.rules));
            }}
          />
        )}
      </Field>
      <Field
        label="Affinity and spreading"
        error={typeof rules === 'string' ? rules : undefined}
        hint="As in a pod’s spec. Empty text takes all of its rules away."
      >
        {(ids) => <TextArea {...ids} rows={6} value={typed ?? rulesText(pod)} onText={type} />}
      </Field>
    </>
  );
}
