/**
 * Every button of the panels tells the command that does the same, or why none does: beside itself, or as a part of a view that tells
 * it. Buttons that only move the page are listed here. Who adds a button has to say which it is.
 */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { controllersView, decisionView, lifecycleView, nodesView } from '../../src/ui/panels/commands/views.ts';

const PANELS = 'src/ui/panels';
const TAGS = ['Button', 'IconButton', 'Switch', 'button', 'Segmented', 'MenuItem'];

/** What tells commands, and buttons that tell their own. */
const TELLERS = ['<CommandsButton', '<WriteButton', '<AsCommand', '<WritesDialog', '<CommandsDialog', '{glassView}'];

const sources = readdirSync(PANELS, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.tsx'))
  .sort()
  .map((path) => ({ path, code: readFileSync(`${PANELS}/${path}`, 'utf8') }));

/** The buttons of a file, by their labels as they stand in it. */
function buttonsOf(path: string, code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node)) {
      const opening = ts.isJsxElement(node) ? node.openingElement : node;
      if (TAGS.includes(opening.tagName.getText())) found.push(labelOf(opening, node));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

function labelOf(opening: ts.JsxOpeningLikeElement, node: ts.JsxElement | ts.JsxSelfClosingElement): string {
  for (const property of opening.attributes.properties)
    if (ts.isJsxAttribute(property) && ['label', 'aria-label'].includes(property.name.getText()))
      return inShort(property.initializer?.getText().replace(/^"(.*)"$/, '$1') ?? '');
  return inShort(ts.isJsxElement(node) ? node.children.map((child) => child.getText()).join('') : '');
}

const inShort = (label: string): string => label.replace(/\s+/g, ' ').trim().slice(0, 50);

type Buttons = Readonly<Record<string, readonly string[]>>;

/** A command stands beside these, or beside the view of which they are a part. */
const TOLD: Buttons = {
  'access/Changes.tsx': ['Write it'],
  'access/CredentialForm.tsx': ['{action}'],
  'access/SmallestRole.tsx': ['Write it'],
  'access/WhoCanTab.tsx': ['What would allow it'],
  'access/compare/CompareTab.tsx': ["{method === 'GET' ? 'Ask as each' : 'Try as each'}"],
  'access/tokens/TokenReader.tsx': ['Ask the server whose it is'],
  'controllers/ControllerDetail.tsx': ['Reconcile next', "{paused ? 'Resume' : 'Pause'}"],
  'editor/EditorInspector.tsx': ['Apply', 'Dry run'],
  'explore/ResourceTable.tsx': ['{label}'],
  'glass/GlassPanel.tsx': ['Show everything', 'Background', 'Picture or video'],
  'glass/PlayerBar.tsx': [
    'Step back',
    "{player.playing ? 'Pause' : 'Play'}",
    'Step',
    'Step to the next write or refusal',
    'Go live',
  ],
  'lifecycle/DeletingTab.tsx': ['Dependants'],
  'lifecycle/WaitItem.tsx': ['Remove by hand'],
  'lifecycle/podLife/PodLifeTab.tsx': ['See its life'],
  'lifecycle/rollout/DeploymentView.tsx': ['Go back to {revision}'],
  'lifecycle/rollout/RolloutTab.tsx': ['Watch its roll-out'],
  'load/LoadDock.tsx': ['Start', 'Remove what was made'],
  'network/FlowList.tsx': ['Flows', 'Suggest policies{chosen.length > 0 ? ` for ${chose'],
  'network/NetworkPanel.tsx': ['Picture', 'Rows'],
  'network/RemedyOffer.tsx': ['{remedy.title}'],
  'object/DeleteDialog.tsx': ['Delete', 'Dependants'],
  'object/ScaleDialog.tsx': ['Scale'],
  'object/actions/ActionMenu.tsx': ['{label}'],
  'object/actions/BreakDialog.tsx': ['{`Break: ${wordsOf(fault).title}`}', '{`Mend: ${wordsOf(fault).title}`}'],
  'object/actions/BrokenOnPurpose.tsx': ['{`Mend: ${wordsOf(fault).title}`}'],
  'object/actions/DrainDialog.tsx': ['Drain'],
  'object/actions/TaintDialog.tsx': ['Add', '{`Remove ${taintText(taint)}`}'],
  'requests/Console.tsx': ['Send as {nameOfIdentity(identity)}'],
  'requests/RequestLog.tsx': ['Whose requests'],
  'requests/breakpoints/BreakpointForm.tsx': ['Set the breakpoint'],
  'requests/breakpoints/HeldRequest.tsx': ["{edited ? 'Let go as it was' : 'Let go'}", 'Let go as edited'],
  'scheduling/DecisionView.tsx': ['Looked at'],
  'scheduling/DraftFields.tsx': ['Takes pods', 'Is there', "{isOpen ? 'Hide the weights' : `Weights of ${score"],
  'scheduling/FilterGrid.tsx': ['{row.node}'],
  'scheduling/SchedulingPanel.tsx': ['Filled by'],
  'scheduling/WhatIf.tsx': ['Start over', '{`Try: ${title}`}', 'Count them'],
  'settings/SettingsEditor.tsx': ["{stopped ? 'Start with these' : 'Restart with thes"],
  'watch/NewWatch.tsx': ['Open watch'],
  'watch/PagingTab.tsx': ['Read the first page', 'Next page', 'Start over'],
  'watch/StorageTab.tsx': ['Compact'],
  'watch/WatchColumn.tsx': ['List and watch again', "Resume from @{session.revision || '–'}"],
  'webhooks/WebhookDetail.tsx': ['Delete', 'Restart with these flags'],
};

/** These open, choose, copy or save what the page has. */
const OF_THE_PAGE: Buttons = {
  'access/AccessMatrix.tsx': ["{cell.names.length === 1 ? '1 name' : `${cell.name"],
  'access/Changes.tsx': ['{more}more, which allow more'],
  'access/IdentityPicker.tsx': ['{nameOfIdentity(identity)}<ChevronDown className={'],
  'access/WhatCanTab.tsx': ['View'],
  'access/WhoCanTab.tsx': ['{narrow ? ( <Icon className={styles.kind} aria-lab'],
  'access/certificates/CertificatesTab.tsx': ['Forget the key'],
  'access/certificates/RequestItem.tsx': ['Act as {held.user}'],
  'access/compare/CompareTab.tsx': ['{`Leave ${nameOfIdentity(identity)} out`}', 'Another identity'],
  'access/tokens/PersonForm.tsx': ['Take new keys'],
  'access/tokens/TokenReader.tsx': ['Act as {label}'],
  'access/tokens/TokensTab.tsx': ['Issue a token'],
  'audit/AuditTab.tsx': ['Restart with auditing', 'Read the log again', 'Export'],
  'browse/BrowseDock.tsx': ['Back', 'Load again', 'Go', 'View', 'Download', '{link.text}'],
  'commands/CommandsButton.tsx': ['{LABEL}'],
  'commands/WriteButton.tsx': ['{write.label}'],
  'controllers/ControllersPanel.tsx': ['Back to now'],
  'editor/ConvertNotice.tsx': ['Convert'],
  'editor/EditorInspector.tsx': [
    'Undo all changes',
    'Examples',
    '{example.title}',
    '{ <Tooltip text="Take over fields that others own"',
  ],
  'editor/Outcomes.tsx': ['<CornerDownRight className={styles.icon} aria-hidd'],
  'explore/ResourcePicker.tsx': ['{current.kind}<ChevronDown className={styles.icon}'],
  'explore/ResourceTable.tsx': ['All columns'],
  'files/FilesTab.tsx': [
    '<FolderUp className={styles.icon} aria-hidden /><s',
    '<Icon className={styles.icon} aria-label={type} />',
    'Download',
  ],
  'glass/Idle.tsx': ['Replay the last change slowly'],
  'glass/Legend.tsx': ['Legend'],
  'glass/Server.tsx': ['<Icon className={styles.icon} aria-hidden /><span>'],
  'glass/film/FilmButtons.tsx': ['Stop recording', 'Save a picture', 'Record a video'],
  'lesson/Ending.tsx': ['Next: {next.title}'],
  'lesson/LessonList.tsx': ['{`Remove ${card.title}`}', '{`${verb(progress, complete)}: ${card.title}`}'],
  'lesson/LessonSide.tsx': [
    '<GraduationCap aria-hidden className={styles.icon}',
    '<GraduationCap aria-hidden className={styles.icon}',
  ],
  'lesson/LessonView.tsx': [
    'Start over',
    'All lessons',
    'Teaching mode: large text, notes, next command',
    'Copy a link to this task',
    'Start over',
    'Hide the lesson',
    'Cancel',
    'Start over',
  ],
  'lesson/LessonsPage.tsx': ['Start page'],
  'lesson/LessonsPanel.tsx': ['All lessons', 'Write a lesson from this cluster'],
  'lesson/LinkedLesson.tsx': ['Continue without it'],
  'lesson/OfferDialog.tsx': ['Cancel', 'Open the lesson'],
  'lesson/OpenFile.tsx': ['Open a lesson from a file'],
  'lesson/TaskItem.tsx': [
    '<span className={aloud.aloud}> Task {index + 1} {d',
    'Go to {findPanel(task.where.panel).title}',
    'Next command <span aria-hidden> <KeyHint keys="n" ',
    '{`Put into the terminal, ${nameOf(line, index, lin',
    "{hints === 0 ? 'Hint' : 'Next hint'}",
    'Show me <span aria-hidden className={styles.keys}>',
  ],
  'lesson/Users.tsx': ['Act as'],
  'lesson/author/AuthorTab.tsx': [
    'Add a task',
    'Save as a file',
    'Copy a link',
    'Try it in a new cluster',
    'Clear the draft',
    'Copy the objects from these namespaces',
  ],
  'lesson/author/TaskFields.tsx': ['{`Remove task ${index + 1}`}'],
  'lifecycle/ObjectGraph.tsx': ['<span className={styles.head}> <span className={st'],
  'lifecycle/ObjectPicker.tsx': ['{subject ? `${subject.target.resource.kind} ${subj'],
  'lifecycle/Suggestions.tsx': ['{text}'],
  'lifecycle/WaitItem.tsx': ['Cancel'],
  'lifecycle/rollout/DeploymentView.tsx': ['Cancel'],
  'load/LoadDock.tsx': ['How large', 'Stop', 'Go on'],
  'logs/LogLines.tsx': ['Latest'],
  'logs/LogView.tsx': [
    'Back to now',
    'The container before its last restart',
    'Times',
    'Wrap long lines',
    "{paused ? 'Go on' : 'Pause'}",
    'Download',
    'Read again',
  ],
  'network/DraftBar.tsx': ['Back to the editor'],
  'network/DraftInWords.tsx': ['Show it'],
  'network/FlowList.tsx': ["{paused ? 'Go on' : 'Pause'}", 'Clear', 'Export', '{asked}:{port}{protocol}'],
  'network/MapZoom.tsx': ['Smaller', 'Fit', 'Larger'],
  'network/NetworkMap.tsx': ['<span className={styles.name}>{workload.name}</spa'],
  'network/NetworkPanel.tsx': ['New policy', '{title}'],
  'network/ReachabilityMatrix.tsx': ['{words}'],
  'network/SincePane.tsx': ['From now on'],
  'network/Steps.tsx': ["{isAdministrator ? 'Edit this line' : 'Edit as adm"],
  'object/DeleteDialog.tsx': ['Cancel'],
  'object/HistoryTab.tsx': ['<span className={styles.revision}>@{revision}</spa'],
  'object/ScaleDialog.tsx': ['Cancel'],
  'object/YamlTab.tsx': ['Show the secret’s values', 'Show field ownership'],
  'object/actions/ActionMenu.tsx': [
    'Edit',
    'Actions',
    'Edit',
    'Follow this in the Glass',
    'Lifecycle',
    'Commands that do the same',
  ],
  'object/actions/AsCommand.tsx': ['{`Put into the terminal: ${action}`}'],
  'object/actions/DrainDialog.tsx': ["{begun && left.length > 0 ? 'Stop' : 'Close'}"],
  'object/actions/TaintDialog.tsx': ['Close', '{`Put into the terminal: Remove ${taintText(taint)'],
  'requests/Console.tsx': ['Stop'],
  'requests/RequestInspector.tsx': ['Show it in full width'],
  'requests/RequestLog.tsx': [
    'Of one command; show all',
    "{paused ? 'Go on recording' : 'Stop recording'}",
    'Empty the log',
  ],
  'requests/RequestsPanel.tsx': ['All requests'],
  'requests/Way.tsx': ['Go to the step'],
  'requests/breakpoints/BreakpointForm.tsx': [
    '{ <span className={styles.text}> {text} <span clas',
    '{`Remove: ${text}`}',
  ],
  'requests/breakpoints/BreakpointsTab.tsx': ['<StateMark state="pending" text={`${each.verb} ${e'],
  'requests/clients/ClientsTab.tsx': [
    'Let programs on this machine reach this cluster',
    'Download kubeconfig',
    'Copy command line',
  ],
  'settings/ComponentTab.tsx': ['View', 'Show all flags'],
  'settings/FilesTab.tsx': ['Add a file', '{`Remove ${file.name}`}'],
  'settings/FlagRow.tsx': ['Back to the default'],
  'shells/ShellDock.tsx': ['Start again', 'End this shell'],
  'start/BootFailure.tsx': [
    'Try again',
    'Edit the settings',
    'Start an empty cluster',
    'Back',
    'Export',
    'Export with secrets and keys',
    'Repair',
  ],
  'start/DemoCard.tsx': ['Open the demo cluster'],
  'start/Fold.tsx': ['<ChevronRight className={styles.chevron} aria-hidd'],
  'start/Gallery.tsx': ['Start the first lesson', '{picture}<span className={styles.name}>{title}</sp'],
  'start/KnownClusters.tsx': [
    '<span className={styles.name}>{cluster.name}</span',
    '<span className={styles.name}>{each.name}</span><s',
    '{`More about ${name}`}',
    'Reset',
    'Save its storage as a file',
    'Remove',
  ],
  'shells/TouchKeys.tsx': ['{name}'],
  'start/ManifestsCard.tsx': ['Open in a new cluster', 'Choose files'],
  'start/NewCluster.tsx': ['Kept', 'Names of API groups', 'Create cluster', 'Name server as pods'],
  'start/OfferCard.tsx': [
    'Go on without it',
    'Make this cluster',
    'Not now',
    'Open this cluster',
    'Not now',
    'Go on without it',
    'Open the lesson',
    'Not now',
  ],
  'terminal/EditDialog.tsx': ['Discard', 'Save <KeyHint keys="ctrl enter" />'],
  'terminal/TerminalDock.tsx': [
    'Next command of the lesson',
    "{folder ? 'Add a folder' : 'Add files'}",
    'Requests of the last command',
  ],
  'watch/LineItem.tsx': ['Show the object'],
  'watch/NewWatch.tsx': ['Bookmarks'],
  'watch/PagingTab.tsx': ['Go on without consistency'],
  'watch/StorageTab.tsx': ['Read again'],
  'watch/WatchColumn.tsx': ['Close this watch', "{held ? 'Resume reading' : 'Hold'}", 'Drop'],
  'webhooks/CallList.tsx': ['<StateMark {...verdictOf(call)} /><span className='],
  'webhooks/WebhookDetail.tsx': ['Cancel'],
  'webhooks/WebhooksPanel.tsx': [
    'Write a webhook',
    '{example.title}',
    'Commands that do the same',
    '<span className={styles.name}>{each.name}</span><s',
  ],
};

test('every button tells its command, or is of the page alone', () => {
  const listed: Record<string, string[]> = {};
  for (const [path, labels] of [...Object.entries(TOLD), ...Object.entries(OF_THE_PAGE)])
    listed[path] = [...(listed[path] ?? []), ...labels].sort();
  const there = sources
    .map(({ path, code }) => [path, buttonsOf(path, code).sort()] as const)
    .filter(([, labels]) => labels.length > 0);
  expect(Object.fromEntries(there)).toEqual(listed);
});

test('what is told is told in the same panel', () => {
  for (const path of Object.keys(TOLD)) {
    const [panel = ''] = path.split('/');
    const tells = sources.some(
      (each) => each.path.startsWith(`${panel}/`) && TELLERS.some((teller) => each.code.includes(teller)),
    );
    expect(tells, path).toBe(true);
  }
});

test('a view without a command says why', () => {
  for (const view of [controllersView, decisionView('deployment', 'default/web'), lifecycleView('graph', undefined)])
    expect('none' in view && view.none).toMatch(/^[A-Z].*\.$/);
  expect('commands' in nodesView && 'commands' in decisionView('pod', 'default/web')).toBe(true);
});
