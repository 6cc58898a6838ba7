/** A webhook outside the cluster that never answers. */
import { CORE, type Simulation } from '../simulation/simulation.ts';

const CONFIGURATIONS = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';

const CONFIGURATION = {
  metadata: { name: 'hangs' },
  webhooks: [
    {
      name: 'hangs.example.com',
      clientConfig: { url: 'https://hangs.example.com/' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      objectSelector: { matchLabels: { hangs: 'yes' } },
      failurePolicy: 'Ignore',
      timeoutSeconds: 2,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

export class HangingWebhook {
  /** Calls that nobody has given up. */
  open = 0;

  /** How the cluster reaches it. */
  readonly fetch = (request: Request): Promise<Response> => {
    this.open++;
    return new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => {
        this.open--;
        reject(request.signal.reason as Error);
      });
    });
  };

  /** Sends a request that has to wait for it until its time is up. */
  async hang(simulation: Simulation): Promise<void> {
    await simulation.send('POST', CONFIGURATIONS, CONFIGURATION);
    const metadata = { generateName: 'waits-', labels: { hangs: 'yes' } };
    await simulation.send('POST', `${CORE}/configmaps`, { metadata });
    await simulation.send('DELETE', `${CONFIGURATIONS}/hangs`);
  }
}
