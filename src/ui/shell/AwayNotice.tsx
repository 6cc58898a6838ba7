import type { ServerState } from '../bridge.ts';
import { ErrorNote } from '../parts/index.ts';

/** Says that the server of the cluster can't be reached, and what can be done. */
export default function AwayNotice({ state }: { readonly state: ServerState }) {
  if (state.is === 'refused')
    return (
      <ErrorNote title="The server has another key than this page." denied>
        What you see is as it was last. Open the link that the server printed when it started; you can open it in this
        tab.
      </ErrorNote>
    );
  return (
    state.is === 'away' && (
      <ErrorNote title="The server of this cluster does not answer.">
        What you see is as it was last, and nothing can be changed. Start the server again as before, and the page goes
        on by itself.
      </ErrorNote>
    )
  );
}
