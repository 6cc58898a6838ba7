import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import type { Host } from './host.ts';
import { listenForHotkeys } from './parts/hotkeys.ts';
import { followLocation } from './stores/address.ts';
import { useSession } from './stores/session.ts';
import { followAppearance } from './theme/appearance.ts';
import './theme/index.css';

/** Shows the page in `element`; `host` starts and stores its clusters. */
export function mount(element: HTMLElement, host: Host): void {
  useSession.setState({ host });
  followAppearance();
  followLocation();
  listenForHotkeys();
  createRoot(element).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
