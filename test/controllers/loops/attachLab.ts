import {
  persistentVolumeClaims as claims,
  persistentVolumes as volumes,
  volumeAttachments as attachments,
} from '../../../src/client/index.ts';
import { Lab, type Loose } from '../lab.ts';

/** A lab for the attach and detach controller: with volumes of the driver `d`, and reports of that driver. */
export class AttachLab extends Lab {
  begin(): Promise<void> {
    return this.start(['attachdetach']);
  }

  /** Puts a volume there, with a claim of the same name in the namespace `ns`. */
  putVolume(name: string, spec: Loose = {}): void {
    const csi = { driver: 'd', volumeHandle: `h-${name}` };
    this.server.put(volumes, {
      metadata: { name },
      spec: { csi, accessModes: ['ReadWriteOnce'], ...spec },
      status: {},
    });
    this.server.put(claims, { metadata: { name, namespace: 'ns' }, spec: { volumeName: name }, status: {} });
  }

  attachmentOf(volume: string): Loose {
    return this.server.list(attachments).find(({ spec }) => spec.source.persistentVolumeName === volume);
  }

  /** The driver says what has become of an attachment. */
  async report(volume: string, status: Loose = { attached: true }): Promise<void> {
    this.server.change(attachments, this.attachmentOf(volume).metadata.name, { status });
    await this.settle();
  }
}

/** A node whose volumes the controller attaches. */
export const attachingNode = (name: string, annotation = 'true'): Loose => ({
  metadata: { name, annotations: { 'volumes.cluster.io/controller-managed-attach-detach': annotation } },
  ...{ spec: {}, status: {} },
});

/** A pod that uses claims of the namespace `ns`. */
export const podWith = (name: string, claimNames: readonly string[], nodeName?: string, phase = 'Pending'): Loose => ({
  metadata: { name, namespace: 'ns' },
  spec: {
    nodeName,
    volumes: claimNames.map((claimName, i) => ({ name: `v${i}`, persistentVolumeClaim: { claimName } })),
  },
  status: { phase },
});
