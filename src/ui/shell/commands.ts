/** What the palette offers: panels, resources, objects, lessons, commands of the shell. */
import {
  Boxes,
  Contrast,
  FilePlus2,
  GraduationCap,
  Keyboard,
  LogOut,
  Moon,
  Camera,
  PanelBottom,
  Projector,
  RotateCcw,
  Share2,
  SquareTerminal,
  Sun,
  UserRound,
  type LucideIcon,
} from 'lucide-preact';
import { lessons } from '../../lessons/index.ts';
import { openEditor } from '../editor/drafts.ts';
import { panels } from '../panels/index.ts';
import { openLesson } from '../panels/lesson/running.ts';
import { go } from '../stores/address.ts';
import { enterList } from '../stores/entering.ts';
import { namespaceNames } from '../stores/following.ts';
import { actAs, administrator, anonymous } from '../stores/identity.ts';
import { resourceByWord, useResources, type ObjectRef, type Resource } from '../stores/resources.ts';
import { closeCluster, forkRefusal, resetRefusal, theCluster } from '../stores/session.ts';
import { useAppearance } from '../theme/appearance.ts';
import { useLayout } from './layout.ts';
import { showDock, showOverlay } from './overlay.ts';

export interface Command {
  readonly key: string;
  readonly icon: LucideIcon;
  readonly label: string;
  readonly note: string;
  /** Why it can't be done now. */
  readonly unavailable?: string | undefined;
  /** What the server is asked for: whether the page's identity may do it. */
  readonly wish?: { readonly verb: string; readonly target: ObjectRef | undefined; readonly subresource?: string };
  readonly run: () => void;
}

const LONGEST = 60;

/** Goes to the table of a resource; `namespace` narrows it where it is named. */
export function showResource(resource: Resource, namespace?: string): void {
  const query = namespace === undefined ? {} : { ns: namespace };
  go({ panel: 'explore', path: [resource.group || 'core', resource.resource], query: { ...query, sel: undefined } });
  enterList();
}

function panelCommands(): Command[] {
  return panels.map(({ id, icon, title, about }) => ({
    key: `panel:${id}`,
    icon,
    label: title,
    note: about,
    run: () => go({ panel: id }),
  }));
}

function resourceCommands(): Command[] {
  return useResources
    .getState()
    .resources.filter((resource) => resource.verbs.includes('list'))
    .map((resource) => ({
      key: `resource:${resource.group}/${resource.resource}`,
      icon: Boxes,
      label: resource.resource,
      note: [...resource.shortNames, resource.group || 'core'].join(', '),
      run: () => showResource(resource),
    }));
}

function lessonCommands(): Command[] {
  return lessons.map(({ id, title, learn }) => ({
    key: `lesson:${id}`,
    icon: GraduationCap,
    label: title,
    note: `Lesson: ${learn}`,
    run: () => void openLesson(id),
  }));
}

/** What can be done with the cluster as a whole. */
function clusterCommands(): Command[] {
  const { cluster } = theCluster();
  return [
    {
      key: 'share',
      icon: Share2,
      label: 'Share or export this cluster',
      note: 'link, file, manifests, embed',
      run: () => showOverlay('share'),
    },
    {
      key: 'snapshot',
      icon: Camera,
      label: 'Keep a snapshot',
      note: 'as it is now',
      unavailable: forkRefusal(cluster),
      run: () => showOverlay('snapshot'),
    },
    {
      key: 'reset',
      icon: RotateCcw,
      label: 'Reset this cluster',
      note: 'it begins again',
      unavailable: resetRefusal(cluster),
      run: () => showOverlay('reset'),
    },
  ];
}

function shellCommands(): Command[] {
  return [
    {
      key: 'create',
      icon: FilePlus2,
      label: 'Create from YAML',
      note: 'editor',
      run: () => openEditor({ kind: 'new' }),
    },
    { key: 'admin', icon: UserRound, label: 'Act as administrator', note: 'identity', run: () => actAs(administrator) },
    { key: 'anonymous', icon: UserRound, label: 'Act as anonymous', note: 'identity', run: () => actAs(anonymous) },
    { key: 'terminal', icon: SquareTerminal, label: 'Terminal', note: 'ctrl+`', run: () => showDock('terminal') },
    { key: 'load', icon: PanelBottom, label: 'Load', note: 'many nodes and pods', run: () => showDock('load') },
    { key: 'dock', icon: PanelBottom, label: 'Open or close the dock', note: '`', run: toggleDock },
    ...appearanceCommands(),
    ...clusterCommands(),
    { key: 'keys', icon: Keyboard, label: 'Show the keys', note: '?', run: () => showOverlay('keys') },
    { key: 'leave', icon: LogOut, label: 'Leave this cluster', note: 'it stays as it is', run: leave },
  ];
}

function toggleDock(): void {
  useLayout.setState(({ dockOpen }) => ({ dockOpen: !dockOpen }));
}

function appearanceCommands(): Command[] {
  const { theme, contrast, size } = useAppearance.getState();
  const dark = theme === 'dark';
  return [
    {
      key: 'theme',
      icon: dark ? Sun : Moon,
      label: dark ? 'Light theme' : 'Dark theme',
      note: 'appearance',
      run: () => useAppearance.setState({ theme: dark ? 'light' : 'dark' }),
    },
    {
      key: 'contrast',
      icon: Contrast,
      label: contrast === 'more' ? 'Normal contrast' : 'High contrast',
      note: 'appearance',
      run: () => useAppearance.setState({ contrast: contrast === 'more' ? 'normal' : 'more' }),
    },
    {
      key: 'projector',
      icon: Projector,
      label: size === 'projector' ? 'Normal size' : 'Projector size',
      note: 'appearance',
      run: () => useAppearance.setState({ size: size === 'projector' ? 'normal' : 'projector' }),
    },
  ];
}

function leave(): void {
  go({ cluster: '', panel: '', path: [] });
  void closeCluster();
}

/** `:pod default`: a resource by any of its names, and perhaps a namespace. */
function colonCommands(text: string): Command[] {
  const [word = '', namespace] = text.slice(1).trim().split(/\s+/);
  const { resources } = useResources.getState();
  if (word === '') return resourceCommands();
  const exact = resourceByWord(resources, word);
  const near = resourceCommands().filter((command) => `${command.label}, ${command.note}`.includes(word.toLowerCase()));
  if (!exact) return near;
  const spaces =
    namespace === undefined ? [] : namespaceNames().filter((name) => name.startsWith(namespace) && name !== namespace);
  const to = (ns: string | undefined): Command => ({
    key: `:${exact.resource}:${ns ?? ''}`,
    icon: Boxes,
    label: ns === undefined ? exact.resource : `${exact.resource} in ${ns}`,
    note: exact.group || 'core',
    run: () => showResource(exact, ns),
  });
  return [to(namespace), ...spaces.map(to), ...near.filter((command) => command.label !== exact.resource)];
}

/** How well a command fits what was typed: lower is better, undefined not at all. */
function rank(command: Command, words: readonly string[]): number | undefined {
  const label = command.label.toLowerCase();
  const all = `${label} ${command.note.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return undefined;
  const [first = ''] = words;
  if (label === first) return 0;
  return label.startsWith(first) ? 1 : label.includes(first) ? 2 : 3;
}

/** The commands that fit `text`, best first. */
export function commandsFor(text: string, objects: readonly Command[] = []): readonly Command[] {
  if (text.startsWith(':')) return colonCommands(text).slice(0, LONGEST);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const named = words.length > 0 ? [...lessonCommands(), ...objects] : [];
  const all = [...panelCommands(), ...shellCommands(), ...resourceCommands(), ...named];
  return all
    .flatMap((command, place) => {
      const found = rank(command, words);
      return found === undefined ? [] : [{ command, found, place }];
    })
    .sort((a, b) => a.found - b.found || a.place - b.place)
    .slice(0, LONGEST)
    .map(({ command }) => command);
}
