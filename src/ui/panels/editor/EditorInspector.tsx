import { getOwn } from '../../../std/index.ts';
import { BookOpen, GitCompare, Play, RotateCcw } from 'lucide-preact';
import { useEffect, useMemo, useState } from 'preact/compat';
import type { ApplyOptions, ApplyWay, Outcome } from '../../editor/apply.ts';
import { readManifests, type Problem } from '../../editor/documents.ts';
import { loadForEdit, NEW, offer, openEditor, setDraft, useDrafts } from '../../editor/drafts.ts';
import { lineOfField } from '../../editor/fieldPath.ts';
import { examples, textOfExample } from '../../editor/examples/index.ts';
import { Button, IconButton, later, Menu, MenuItem, MenuLabel, Select, Switch, Tooltip } from '../../parts/index.ts';
import { InspectorHead } from '../../shell/InspectorHead.tsx';
import { useNarrow } from '../../parts/narrow.ts';
import { useAddress } from '../../stores/address.ts';
import { parseRef, useResources } from '../../stores/resources.ts';
import { theCluster } from '../../stores/session.ts';
import { perform } from '../../stores/writes.ts';
import { CommandsButton } from '../commands/CommandsButton.tsx';
import { applying } from './applying.ts';
import { ConvertNotice } from './ConvertNotice.tsx';
import { Outcomes } from './Outcomes.tsx';
import styles from './EditorInspector.module.css';

const Editor = later(() => import('./SchemaEditor.tsx'), 'Loading the editor');

const CHECK_PAUSE = 150;

/** Problems of form, as one types: after a short pause, so that half a word is no error. */
function useSyntaxProblems(text: string): readonly Problem[] {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => setProblems(readManifests(text).problems), CHECK_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return problems;
}

/**
 * What is new is merged, so that it can be applied again as it is. What was read from the server is the whole object:
 * it replaces the revision that it began with, so that lines taken out are taken out.
 */
const usualWay = (selection: string): ApplyWay => (selection === NEW ? 'merge' : 'replace');

/** YAML at one side, what becomes of it at the other. `selection` is `new`, or the object that is edited. */
export default function EditorInspector({ selection }: { readonly selection: string }) {
  const draft = useDrafts((state) => getOwn(state.drafts, selection));
  useEffect(() => restore(selection), [selection]);
  const text = draft?.text ?? '';
  const [way, setWay] = useState<Pick<ApplyOptions, 'way' | 'force'>>({ way: usualWay(selection), force: false });
  const [reveal, setReveal] = useAddressedLine(selection, draft?.original);
  const { outcomes, dryRun, busy, writing, apply, forget } = useApplying(text, way);
  const syntax = useSyntaxProblems(text);
  const problems = useMemo(
    () => [...syntax, ...outcomes.flatMap((each) => (each.did === 'failed' ? each.problems : []))],
    [syntax, outcomes],
  );
  const write = (next: string): void => {
    setDraft(selection, next);
    forget();
  };
  const changed = draft !== undefined && draft.text !== draft.original;
  const isNarrow = useNarrow();
  const seesPicture = useAddress(({ panel }) => panel === 'network') && !isNarrow;
  return (
    <>
      <InspectorHead
        plain={selection === NEW}
        kind={selection === NEW ? 'Editor' : 'Edit'}
        name={selection === NEW ? 'New objects' : (selection.split('/').at(-1) ?? '')}
        actions={<HeadActions selection={selection} changed={changed} onReplaced={forget} />}
      />
      <Editor
        name={selection}
        text={text}
        problems={problems}
        reveal={reveal}
        onApply={() => void apply(false)}
        onText={write}
      />
      <ConvertNotice text={text} onText={write} />
      {text.includes('rbac.authorization.') && <Shifts text={text} applied={outcomes} />}
      {!seesPicture && text.includes('NetworkPolicy') && <DraftInWords selection={selection} />}
      <Outcomes outcomes={outcomes} dryRun={dryRun} problems={syntax} onLine={(line) => setReveal({ line })} />
      <footer className={styles.foot}>
        <Button
          look="primary"
          icon={Play}
          busy={busy}
          unavailable={syntax.length > 0 && 'The text has errors: see the marked lines.'}
          onClick={() => void apply(false)}
        >
          Apply
        </Button>
        <Button icon={GitCompare} busy={busy} onClick={() => void apply(true)}>
          Dry run
        </Button>
        <CommandsButton of={writing(false)} />
        <Ways way={way} onWay={setWay} />
      </footer>
    </>
  );
}

/** The line to go to; at first that of the field that the address names, in the text as it was read. */
function useAddressedLine(selection: string, original: string | undefined) {
  const field = useAddress((address) => address.query['field']);
  const document = useAddress((address) => address.query['doc']);
  const [reveal, setReveal] = useState<{ readonly line: number }>();
  useEffect(() => {
    // What is new was never read: its text is what stands there, and may hold several documents.
    const text = selection === NEW ? useDrafts.getState().drafts[NEW]?.text : original;
    const line = text && field ? lineOfField(text, field, document) : undefined;
    if (line !== undefined) setReveal({ line });
  }, [selection, original, field, document]);
  return [reveal, setReveal] as const;
}

const Shifts = later(() => import('./Shifts.tsx'), null);
const DraftInWords = later(() => import('../network/DraftInWords.tsx'), null);

/** A reload, or a link to the editor, finds no draft: begin anew with what the address names. */
function restore(selection: string): void {
  if (getOwn(useDrafts.getState().drafts, selection)) return;
  const target = selection === NEW ? undefined : parseRef(useResources.getState().resources, selection);
  if (target) void loadForEdit(target);
  else if (selection === NEW) openEditor({ kind: 'new' });
}

function useApplying(text: string, way: Pick<ApplyOptions, 'way' | 'force'>) {
  const namespace = useAddress((address) => address.query['ns'] ?? '');
  const [result, setResult] = useState<{ readonly outcomes: readonly Outcome[]; readonly dryRun: boolean }>({
    outcomes: [],
    dryRun: false,
  });
  const [busy, setBusy] = useState(false);
  const writing = (dryRun: boolean) => applying(text, { ...way, dryRun, namespace });
  const apply = async (dryRun: boolean): Promise<void> => {
    if (readManifests(text).problems.length > 0 || busy) return;
    setBusy(true);
    const got = await perform(writing(dryRun));
    setResult({ outcomes: got?.value ?? [], dryRun });
    setBusy(false);
  };
  const forget = (): void => setResult((now) => (now.outcomes.length === 0 ? now : { outcomes: [], dryRun: false }));
  return { ...result, busy, writing, apply, forget };
}

interface HeadActionsProps {
  readonly selection: string;
  readonly changed: boolean;
  readonly onReplaced: () => void;
}

function HeadActions({ selection, changed, onReplaced }: HeadActionsProps) {
  const revert = (): void => {
    const original = getOwn(useDrafts.getState().drafts, selection)?.original ?? '';
    setDraft(selection, original);
    onReplaced();
  };
  return (
    <>
      {changed && <IconButton icon={RotateCcw} label="Undo all changes" onClick={revert} />}
      {selection === NEW && (
        <Menu align="end" trigger={<IconButton icon={BookOpen} label="Examples" />}>
          <MenuLabel>Examples</MenuLabel>
          {examples.map((example) => (
            <MenuItem
              key={example.title}
              label={example.title}
              note={example.about}
              onSelect={() => {
                offer(textOfExample(example, theCluster().names));
                onReplaced();
              }}
            />
          ))}
        </Menu>
      )}
    </>
  );
}

const ways: readonly { readonly value: ApplyWay; readonly label: string }[] = [
  { value: 'merge', label: 'Merge into what is there' },
  { value: 'serverSide', label: 'Server-side apply' },
  { value: 'replace', label: 'Replace the whole object' },
];

interface WaysProps {
  readonly way: Pick<ApplyOptions, 'way' | 'force'>;
  readonly onWay: (way: Pick<ApplyOptions, 'way' | 'force'>) => void;
}

function Ways({ way, onWay }: WaysProps) {
  return (
    <span className={styles.ways}>
      <Select
        aria-label="How it is written"
        value={way.way}
        options={ways}
        onValue={(chosen) => onWay({ way: chosen, force: false })}
      />
      {way.way === 'serverSide' && (
        <Switch
          label={
            <Tooltip text="Take over fields that others own">
              <span>Force</span>
            </Tooltip>
          }
          checked={way.force}
          onChecked={(force) => onWay({ ...way, force })}
        />
      )}
    </span>
  );
}
