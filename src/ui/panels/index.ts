/** The list of panels. Adding one is a folder and a line here. */
import type { ComponentType } from 'preact/compat';
import {
  Activity,
  Boxes,
  Eye,
  GraduationCap,
  LayoutGrid,
  Network,
  Recycle,
  RefreshCw,
  ShieldCheck,
  SlidersHorizontal,
  Waypoints,
  Webhook,
  type LucideIcon,
} from 'lucide-preact';
import { later } from '../parts/later.tsx';
import { HeldMark } from './requests/breakpoints/HeldMark.tsx';
import { DockSummary } from './requests/DockSummary.tsx';

/** A place that the rail leads to. */
export interface Panel {
  /** Its segment in the address. */
  readonly id: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly keys: string;
  readonly about: string;
  readonly Component: ComponentType;
  /** Something that waits for the person there; stands at the panel's icon. */
  readonly Mark?: ComponentType;
}

/** What shows a selection in the inspector. */
export interface Inspection {
  readonly prefix: string;
  readonly title: string;
  /** Pixels of the normal text size that it needs, if more than others. */
  readonly leastWidth?: number;
  readonly Component: ComponentType<{ readonly selection: string }>;
}

/** A tab of the dock. */
export interface DockTab {
  readonly id: string;
  readonly title: string;
  readonly Component: ComponentType;
  /** What the closed dock shows of it. */
  readonly Summary?: ComponentType;
}

const glass: Panel = {
  id: 'glass',
  title: 'Glass',
  icon: Waypoints,
  keys: 'g g',
  about: 'The whole control plane at work: who asks, what the server does, who reacts',
  Component: later(() => import('./glass/GlassPanel.tsx')),
};

export const panels: readonly Panel[] = [
  glass,
  {
    id: 'explore',
    title: 'Explore',
    icon: Boxes,
    keys: 'g e',
    about: 'Every object, live, in the server’s own tables',
    Component: later(() => import('./explore/ExplorePanel.tsx')),
  },
  {
    id: 'network',
    title: 'Network',
    icon: Network,
    keys: 'g n',
    about: 'What can reach what, and which policy decides',
    Component: later(() => import('./network/NetworkPanel.tsx')),
  },
  {
    id: 'scheduling',
    title: 'Scheduling',
    icon: LayoutGrid,
    keys: 'g d',
    about: 'Where pods go, why, and what would change that',
    Component: later(() => import('./scheduling/SchedulingPanel.tsx')),
  },
  {
    id: 'lifecycle',
    title: 'Lifecycle',
    icon: Recycle,
    keys: 'g l',
    about: 'Why something is still there, and what follows from it',
    Component: later(() => import('./lifecycle/LifecyclePanel.tsx')),
  },
  {
    id: 'controllers',
    title: 'Controllers',
    icon: RefreshCw,
    keys: 'g c',
    about: 'Control loops at work: what woke them, what they planned and wrote; pause one and step it',
    Component: later(() => import('./controllers/ControllersPanel.tsx')),
  },
  {
    id: 'watch',
    title: 'Watch',
    icon: Eye,
    keys: 'g w',
    about: 'Watches side by side: revisions, bookmarks, backlog, expiry',
    Component: later(() => import('./watch/WatchPanel.tsx')),
  },
  {
    id: 'access',
    title: 'Access',
    icon: ShieldCheck,
    keys: 'g p',
    about: 'Who may do what, by which rule; and why something was refused',
    Component: later(() => import('./access/AccessPanel.tsx')),
  },
  {
    id: 'requests',
    title: 'Requests',
    icon: Activity,
    keys: 'g r',
    about: 'Send any request as anyone, and see its way through the server',
    Component: later(() => import('./requests/RequestsPanel.tsx')),
    Mark: HeldMark,
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    icon: Webhook,
    keys: 'g h',
    about: 'Write webhooks: code, faults, what they were asked and answered',
    Component: later(() => import('./webhooks/WebhooksPanel.tsx')),
  },
  {
    id: 'lessons',
    title: 'Lessons',
    icon: GraduationCap,
    keys: 'g t',
    about: 'Do things in a cluster of their own, and see what came of them',
    Component: later(() => import('./lesson/LessonsPanel.tsx')),
  },
  {
    id: 'settings',
    title: 'Settings',
    icon: SlidersHorizontal,
    keys: 'g s',
    about: 'Flags and files of the components; restart with others',
    Component: later(() => import('./settings/SettingsPanel.tsx')),
  },
];

const inspections: readonly Inspection[] = [
  { prefix: 'object', title: 'Object', Component: later(() => import('./object/ObjectInspector.tsx')) },
  {
    prefix: 'editor',
    title: 'Editor',
    leastWidth: 560,
    Component: later(() => import('./editor/EditorInspector.tsx')),
  },
  { prefix: 'audit', title: 'Audit event', Component: later(() => import('./audit/AuditInspector.tsx')) },
  { prefix: 'request', title: 'Request', Component: later(() => import('./requests/RequestInspector.tsx')) },
];

export const docks: readonly DockTab[] = [
  {
    id: 'requests',
    title: 'Requests',
    Component: later(() => import('./requests/RequestLog.tsx')),
    Summary: DockSummary,
  },
  { id: 'terminal', title: 'Terminal', Component: later(() => import('./terminal/TerminalDock.tsx')) },
  { id: 'logs', title: 'Logs', Component: later(() => import('./logs/LogDock.tsx')) },
  { id: 'shell', title: 'Shell', Component: later(() => import('./shells/ShellDock.tsx')) },
  { id: 'load', title: 'Load', Component: later(() => import('./load/LoadDock.tsx')) },
  { id: 'browse', title: 'Browser', Component: later(() => import('./browse/BrowseDock.tsx')) },
];

/** The panel of an address; the Glass where it names none. */
export function findPanel(id: string): Panel {
  return panels.find((panel) => panel.id === id) ?? glass;
}

/** What shows selections that begin with `prefix:`. */
export function inspectorOf(prefix: string): Inspection | undefined {
  return inspections.find((inspection) => inspection.prefix === prefix);
}
