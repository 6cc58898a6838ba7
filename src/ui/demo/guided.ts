/** The clusters that were opened as demos, and still show their list of things to try; kept in the browser. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export const useGuided = create<{ readonly clusters: readonly string[] }>()(
  persist((): { clusters: readonly string[] } => ({ clusters: [] }), { name: 'vitrine.demos' }),
);

/** Whether the demo's objects are being applied just now. */
export const useFilling = create<{ readonly filling: boolean }>()(() => ({ filling: false }));

export function showGuide(cluster: string): void {
  hideGuide(cluster);
  useGuided.setState(({ clusters }) => ({ clusters: [...clusters, cluster] }));
}

export function hideGuide(cluster: string): void {
  useGuided.setState(({ clusters }) => ({ clusters: clusters.filter((each) => each !== cluster) }));
}
