import { create } from '../../store.ts';
import { showDock } from '../../shell/overlay.ts';
import type { LogTarget } from './sources.ts';

/** Whose logs the dock shows. */
export const useDockedLogs = create<{ readonly target: LogTarget | undefined }>()(() => ({ target: undefined }));

/** Shows logs in the dock. */
export function openLogs(target: LogTarget): void {
  useDockedLogs.setState({ target });
  showDock('logs');
}
