/** A webhook outside the cluster that never answers. */
import { CORE, type Simulation } from '../simulation/simulation.ts';

/** Where webhooks are configured. A disk that fails may keep the configuration from being deleted. */
export const WEBHOOKS = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';

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
  readonly configuration = CONFIGURATION;
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
    await simulation.send('POST', WEBHOOKS, this.configuration);
    const metadata = { generateName: 'waits-', labels: { hangs: 'yes' } };
    await simulation.send('POST', `${CORE}/configmaps`, { metadata });
    await simulation.send('DELETE', `${WEBHOOKS}/hangs`);
  }
}
