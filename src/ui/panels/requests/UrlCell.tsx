import { EndName } from '../../parts/EndName.tsx';
import { readableUrl } from './readableUrl.ts';
import type { RequestRow } from './repeats.ts';
import styles from './UrlCell.module.css';

/** Where a request went. A path keeps its end, which says what it is about, longer than its middle. */
export function UrlCell({ request, times }: RequestRow) {
  const url = readableUrl(request.url);
  const [path = ''] = url.split('?', 1);
  return (
    <span className={styles.url} title={url}>
      {times > 1 && (
        <span className={styles.times} title={`${times} times; this is the latest`}>
          ×{times}
        </span>
      )}
      <EndName name={path} />
      {url.length > path.length && <span className={styles.query}>{url.slice(path.length)}</span>}
    </span>
  );
}
