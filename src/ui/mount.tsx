import { options } from 'preact';
import { createRoot } from 'preact/compat/client';
import { App } from './App.tsx';
import type { Host } from './host.ts';
import { listenForHotkeys } from './parts/hotkeys.ts';
import { toast } from './parts/Toast.tsx';
import { followLocation } from './stores/address.ts';
import { showProblems } from './stores/problems.ts';
import { useSession } from './stores/session.ts';
import { followAppearance } from './theme/appearance.ts';
import './theme/index.css';

/** Shows the page in `element`; `host` starts and stores its clusters. */
export function mount(element: HTMLElement, host: Host): void {
  useSession.setState({ host });
  host.onScarceRoom?.(({ usage, quota }) =>
    toast(
      'failed',
      'This browser is running out of room for clusters.',
      `${megabytes(usage)} of ${megabytes(quota)} are used; when nothing is left, writes fail. Export or remove clusters that you no longer need.`,
    ),
  );
  showProblems(host);
  host.onRemoved?.(async (name) => (await import('./stores/removed.ts')).forgetCluster(name));
  followAppearance();
  followLocation();
  listenForHotkeys();
  // Effects run when a change is drawn, not after the next frame: what a press opens has to answer the key after it.
  options.requestAnimationFrame = queueMicrotask;
  createRoot(element).render(<App />);
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
