import { Plus, SquareChevronRight, Webhook } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Button, cx, Empty, ErrorNote, later, Menu, MenuItem, MenuLine, Toolbar } from '../../parts/index.ts';
import { go, useAddress } from '../../stores/address.ts';
import { useLiveObjects } from '../../stores/liveObjects.ts';
import { findResource, useResources } from '../../stores/resources.ts';
import { perform } from '../../stores/writes.ts';
import { exampleWriting } from './actions.ts';
import { useCalls } from './calls.ts';
import { examples, type WebhookExample } from './examples.ts';
import { SELECTOR, writtenOf, type Written } from './written.ts';
import styles from './WebhooksPanel.module.css';

// The editor is large; whoever only looks at the list does not wait for it.
const WritesDialog = later(() => import('../commands/WritesDialog.tsx'), null);
const WebhookDetail = later(() => import('./WebhookDetail.tsx'));

/** Webhooks that people write: their code, how they misbehave, what they were asked and what they answered. */
export default function WebhooksPanel() {
  const resource = useResources((state) => findResource(state.resources, 'core', 'configmaps'));
  const namespace = useAddress((address) => address.query['ns'] ?? '');
  const path = useAddress((address) => address.path);
  const live = useLiveObjects(resource && { resource, namespace, labelSelector: SELECTOR });
  const calls = useCalls();
  const webhooks = live.objects.map(writtenOf);
  const chosen = webhooks.find((each) => each.namespace === path[0] && each.name === path[1]) ?? webhooks[0];
  return (
    <>
      <Toolbar title="Webhooks" note={webhooks.length > 0 ? `${webhooks.length} written` : undefined}>
        <NewWebhook namespace={namespace || 'default'} />
      </Toolbar>
      {live.phase === 'refused' && (
        <ErrorNote denied title="You may not list config maps">
          {live.problem?.message}
        </ErrorNote>
      )}
      {live.phase === 'live' && !chosen && (
        <Empty icon={Webhook} title="No webhooks yet" action={<NewWebhook namespace={namespace || 'default'} />}>
          Write one in JavaScript, and the API server calls it: before it stores an object, to convert one, to find out
          whose a token is, or what a user may do. It runs here, without a network, within limits of time and memory.
        </Empty>
      )}
      {chosen && (
        <div className={styles.beside}>
          <WebhookList webhooks={webhooks} chosen={chosen} />
          <WebhookDetail key={`${chosen.namespace}/${chosen.name}`} written={chosen} calls={calls} />
        </div>
      )}
    </>
  );
}

function NewWebhook({ namespace }: { readonly namespace: string }) {
  const [asking, setAsking] = useState(false);
  const write = async (example: WebhookExample): Promise<void> => {
    if (await perform(exampleWriting(example, namespace))) go({ path: [namespace, example.name] });
  };
  const trigger = (
    <Button look="primary" icon={Plus}>
      Write a webhook
    </Button>
  );
  return (
    <>
      <Menu trigger={trigger} align="end">
        {examples.map((example) => (
          <MenuItem
            key={example.name}
            label={example.title}
            note={example.about}
            onSelect={() => void write(example)}
          />
        ))}
        <MenuLine />
        <MenuItem icon={SquareChevronRight} label="Commands that do the same" onSelect={() => setAsking(true)} />
      </Menu>
      {asking && (
        <WritesDialog
          about="Each makes what a webhook of the menu is made of."
          writes={examples.map((example) => exampleWriting(example, namespace))}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function WebhookList({ webhooks, chosen }: { readonly webhooks: readonly Written[]; readonly chosen: Written }) {
  return (
    <ul className={styles.list} aria-label="Webhooks">
      {webhooks.map((each) => (
        <li key={`${each.namespace}/${each.name}`}>
          <button
            type="button"
            className={cx(styles.item, each === chosen && styles.chosen)}
            aria-current={each === chosen || undefined}
            onClick={() => go({ path: [each.namespace, each.name] })}
          >
            <span className={styles.name}>{each.name}</span>
            <span className={styles.where}>{each.namespace}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
