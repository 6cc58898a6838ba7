import { useState } from 'preact/compat';
import type { Node, Pod } from '../../../client/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { getOwn } from '../../../std/index.ts';
import { Button, Field, later, Select, Switch } from '../../parts/index.ts';
import type { Knob, SchedulingAsked, SchedulingDraft, SchedulingOverview, Tipping } from '../../scheduling.ts';
import { asList, asNumber, at } from '../../stores/jsonValues.ts';
import { DraftField } from './DraftField.tsx';
import { resourcesOf } from './NodeTiles.tsx';
import { requestOf, withField, withRequest } from './draftObject.ts';
import { pairsText, parsePairs, parseTaints, parseTolerations, taintsText, tolerationsText } from './draftText.ts';
import type { Taint, Toleration } from './draftText.ts';
import { useAnswer, useScheduling } from './questions.ts';
import { amountText, listed } from './words.ts';
import styles from './SchedulingPanel.module.css';

/** It brings the YAML library. */
const RuleField = later(() => import('./RuleField.tsx'));

interface FieldsProps {
  readonly draft: SchedulingDraft;
  readonly onDraft: (draft: SchedulingDraft) => void;
}

interface AskingProps extends FieldsProps {
  readonly asked: SchedulingAsked;
  /** The turn of the decision that the draft is compared with. */
  readonly at: number;
}

const QUANTITY = /^\d+(\.\d+)?([munkKMGTPE]i?)?$/;
const quantity = (text: string): string | undefined => (QUANTITY.test(text.trim()) ? text.trim() : undefined);
const pieces = (text: string): string | undefined => (/^\d{1,9}$/.test(text.trim()) ? text.trim() : undefined);
const wholeNumber = (text: string): number | undefined => (/^-?\d{1,10}$/.test(text.trim()) ? Number(text) : undefined);
const labelMap = (object: ApiObject, ...path: string[]): Record<string, string> =>
  (at(object, ...path) ?? {}) as Record<string, string>;

/** What a container may request: of CPU and memory always, of the rest where a node has it or the pod asks for it. */
function requestable(overview: SchedulingOverview, pod: Pod): readonly string[] {
  const offered = resourcesOf(overview.nodes).filter((name) => name !== 'pods' && !name.startsWith('attachable-'));
  const asked = Object.keys(pod.spec.containers?.[0]?.resources?.requests ?? {});
  return [...new Set([...offered, ...asked])];
}

const WORDS: ReadonlyMap<string, string> = new Map([['cpu', 'CPU']]);
const FORMS: ReadonlyMap<string, string> = new Map([
  ['cpu', '500m'],
  ['memory', '256Mi'],
  ['ephemeral-storage', '1Gi'],
]);

interface PodFieldsProps extends AskingProps {
  readonly pod: Pod;
  readonly overview: SchedulingOverview;
}

/** What the pod asks for: requests of its first container, priority, labels, node selector, tolerations, rules. */
export function PodFields({ pod, asked, at: when, draft, onDraft, overview }: PodFieldsProps) {
  const drafted = draft.pod ?? pod;
  const change = (path: readonly (string | number)[], value: unknown): void =>
    onDraft({ ...draft, pod: withField(drafted, path, value) });
  const several = asList(at(pod, 'spec', 'containers')).length > 1 ? ', first container' : '';
  return (
    <fieldset className={styles.fields}>
      <legend>The pod</legend>
      {requestable(overview, pod).map((resource) => (
        <DraftField
          key={resource}
          label={`Requests ${WORDS.get(resource) ?? resource}${several}`}
          text={requestOf(drafted, resource)}
          form={FORMS.get(resource) ?? '1'}
          parse={FORMS.has(resource) ? quantity : pieces}
          onValue={(value) => onDraft({ ...draft, pod: withRequest(drafted, resource, value) })}
          hint={<TippingHint {...{ asked, draft, when }} knob={{ of: 'request', resource }} />}
        />
      ))}
      <DraftField
        label="Priority"
        text={String(asNumber(at(drafted, 'spec', 'priority')) ?? 0)}
        form="1000"
        parse={wholeNumber}
        onValue={(value) => change(['spec', 'priority'], value)}
        hint={<TippingHint {...{ asked, draft, when }} knob={{ of: 'priority' }} />}
      />
      <DraftField
        label="Labels"
        text={pairsText(drafted.metadata.labels)}
        form="app=web"
        parse={parsePairs}
        onValue={(labels) => change(['metadata', 'labels'], labels)}
      />
      <DraftField
        label="Node selector"
        text={pairsText(labelMap(drafted, 'spec', 'nodeSelector'))}
        form="disk=ssd, zone=a"
        parse={parsePairs}
        onValue={(pairs) => change(['spec', 'nodeSelector'], Object.keys(pairs).length > 0 ? pairs : undefined)}
      />
      <DraftField
        label="Tolerations"
        text={tolerationsText(asList(at(drafted, 'spec', 'tolerations')) as readonly Toleration[])}
        form="key=value:NoSchedule"
        parse={parseTolerations}
        onValue={(all) => change(['spec', 'tolerations'], all)}
      />
      <RuleField pod={drafted} onPod={(next) => onDraft({ ...draft, pod: next })} />
    </fieldset>
  );
}

interface HintProps {
  readonly asked: SchedulingAsked;
  readonly draft: SchedulingDraft;
  readonly when: number;
  readonly knob: Knob;
}

/** At which value of a number another node wins. */
function TippingHint({ asked, draft, when, knob }: HintProps) {
  const scheduling = useScheduling();
  const ask = async (): Promise<Tipping | undefined> => scheduling?.tipping({ ...asked, draft }, knob);
  // The clock alone changes nothing: it is asked anew with the draft, and when something was decided anew.
  const { answer } = useAnswer(JSON.stringify([asked.pod, asked.then, draft, knob, when]), ask);
  if (!answer) return null;
  const { below, above } = answer;
  const says = (turn: Tipping['now']): string => {
    const value = knob.of === 'request' ? amountText(knob.resource, turn.value) : String(turn.value);
    const goes = turn.winners.length === 0 ? 'it fits nowhere' : `it goes to ${listed(turn.winners, 2, 'or')}`;
    return `${value} ${turn.room === undefined ? goes : `room is made for it on ${turn.room}`}`;
  };
  const turns = [...(below ? [`At ${says(below)}.`] : []), ...(above ? [`From ${says(above)}.`] : [])];
  return turns.length === 0 ? 'No other value changes the outcome.' : turns.join(' ');
}

/** One node of the draft: its labels, taints, and whether it takes pods. */
export function NodeFields({ draft, onDraft, nodes }: FieldsProps & { readonly nodes: readonly Node[] }) {
  const names = nodes.map(({ metadata }) => metadata.name ?? '').sort();
  const [chosen, setChosen] = useState('');
  const name = chosen || (draft.nodes?.[0]?.metadata.name ?? names[0] ?? '');
  const node = nodes.find(({ metadata }) => metadata.name === name);
  const drafted = draft.nodes?.find(({ metadata }) => metadata.name === name) ?? node;
  if (!drafted) return null;
  const isGone = draft.withoutNodes?.includes(name) === true;
  const change = (path: readonly string[], value: unknown): void => {
    const others = (draft.nodes ?? []).filter(({ metadata }) => metadata.name !== name);
    onDraft({ ...draft, nodes: [...others, withField(drafted, path, value)] });
  };
  return (
    <fieldset className={styles.fields}>
      <legend>A node</legend>
      <Field label="Node">
        {(ids) => (
          <Select
            {...ids}
            value={name}
            options={[...new Set([...names, name])].map((value) => ({ value, label: value }))}
            onValue={setChosen}
          />
        )}
      </Field>
      <DraftField
        key={`labels ${name}`}
        label="Labels"
        text={pairsText(drafted.metadata.labels)}
        form="disk=ssd"
        parse={parsePairs}
        onValue={(labels) => change(['metadata', 'labels'], labels)}
      />
      <DraftField
        key={`taints ${name}`}
        label="Taints"
        text={taintsText(asList(at(drafted, 'spec', 'taints')) as readonly Taint[])}
        form="key=value:NoSchedule"
        parse={parseTaints}
        onValue={(taints) => change(['spec', 'taints'], taints.length > 0 ? taints : undefined)}
      />
      <Switch
        label="Takes pods"
        checked={at(drafted, 'spec', 'unschedulable') !== true}
        onChecked={(open) => change(['spec', 'unschedulable'], open ? undefined : true)}
      />
      <Switch label="Is there" checked={!isGone} onChecked={(isThere) => onDraft(withoutNode(draft, name, !isThere))} />
    </fieldset>
  );
}

function withoutNode(draft: SchedulingDraft, name: string, gone: boolean): SchedulingDraft {
  const { withoutNodes = [], ...rest } = draft;
  const others = withoutNodes.filter((each) => each !== name);
  const all = gone ? [...others, name] : others;
  return all.length > 0 ? { ...rest, withoutNodes: all } : rest;
}

interface ProfileProps extends AskingProps {
  readonly overview: SchedulingOverview;
  readonly profile: string;
}

/** Which profile decides, and what its scores weigh. */
export function ProfileFields({ asked, draft, onDraft, overview, profile, at: when }: ProfileProps) {
  const [isOpen, setOpen] = useState(false);
  const name = draft.profile ?? profile;
  const scores = overview.profiles.find((each) => each.name === name)?.scores ?? [];
  const weigh = (plugin: string, weight: number): void =>
    onDraft({ ...draft, weights: { ...draft.weights, [plugin]: weight } });
  return (
    <fieldset className={styles.fields}>
      <legend>The scheduler</legend>
      {overview.profiles.length > 1 && (
        <Field label="Profile">
          {(ids) => (
            <Select
              {...ids}
              value={name}
              options={overview.profiles.map(({ name: value }) => ({ value, label: value }))}
              onValue={(value) => onDraft({ ...draft, profile: value })}
            />
          )}
        </Field>
      )}
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the weights' : `Weights of ${scores.length} scores`}
      </Button>
      {isOpen &&
        scores.map(({ plugin, weight }) => (
          <DraftField
            key={plugin}
            label={plugin}
            text={String(getOwn(draft.weights, plugin) ?? weight)}
            form="1"
            parse={weightOf}
            onValue={(value) => weigh(plugin, value)}
            hint={<TippingHint {...{ asked, draft, when }} knob={{ of: 'weight', plugin }} />}
          />
        ))}
    </fieldset>
  );
}

const weightOf = (text: string): number | undefined => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined);
