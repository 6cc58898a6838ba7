import {
  csiDrivers,
  Informer,
  volumeAttachments,
  type Client,
  type CSIDriver,
  type VolumeAttachment,
} from '../../client/index.ts';
import { getOwn, inBackground, rfc3339, type Clock, type Random } from '../../std/index.ts';

export interface DriverSetup {
  /** Has an attacher's permissions: it acts for the storage, not for a component of the cluster. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly onProblem: (problem: unknown) => void;
}

/** The annotation of a CSIDriver that makes the simulation attach its volumes (`attach`) or fail (`fail`). */
export const DRIVER = 'simulation.vitrine.dev/driver';
/** Milliseconds that attaching a volume takes. */
const TAKES = 500;
const FAILURE = 'rpc error: code = Internal desc = the storage does not answer (simulated)';

/** The attachers of simulated storage drivers. Other drivers need an external attacher. */
export class SimulatedDrivers {
  readonly #setup: DriverSetup;
  readonly #drivers: Informer<CSIDriver>;
  readonly #attachments: Informer<VolumeAttachment>;

  constructor(setup: DriverSetup) {
    const { client, clock, random, onProblem } = setup;
    this.#setup = setup;
    this.#drivers = new Informer({ resource: client.of(csiDrivers), clock, random, onProblem });
    this.#attachments = new Informer({ resource: client.of(volumeAttachments), clock, random, onProblem });
    const consider = (attachment: VolumeAttachment): void => this.#consider(attachment);
    const reconsider = ({ metadata }: CSIDriver): void => {
      for (const each of this.#attachments.list()) if (each.spec.attacher === metadata.name) consider(each);
    };
    this.#attachments.on({ added: consider, changed: consider });
    this.#drivers.on({ added: reconsider, changed: reconsider });
    this.#drivers.start();
    this.#attachments.start();
  }

  stop(): void {
    this.#drivers.stop();
    this.#attachments.stop();
  }

  #consider(attachment: VolumeAttachment): void {
    const { attacher } = attachment.spec;
    const mode = getOwn(this.#drivers.get(attacher)?.metadata.annotations, DRIVER);
    if (mode === undefined || attachment.status?.attached) return;
    if (mode === 'fail' && attachment.status?.attachError) return;
    this.#setup.clock.setTimeout(() => inBackground(this.#answer(attachment, mode), this.#setup.onProblem), TAKES);
  }

  async #answer(attachment: VolumeAttachment, mode: string): Promise<void> {
    const { client, clock } = this.#setup;
    const known = this.#attachments.get(attachment.metadata.name);
    if (known?.metadata.uid !== attachment.metadata.uid || known?.status?.attached) return;
    const failed = { attached: false, attachError: { time: rfc3339(clock.now()), message: FAILURE } };
    const status = mode === 'fail' ? failed : { attached: true, attachError: null };
    await client.of(volumeAttachments).patch(attachment, 'merge', { status }, { subresource: 'status' });
  }
}
