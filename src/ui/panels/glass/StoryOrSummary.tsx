import { StoryPane } from './StoryPane.tsx';
import { SummaryPane } from './SummaryPane.tsx';

/** What takes the live log's place: the story of what is followed, or counts where too much happens. */
export default function StoryOrSummary({ followed }: { readonly followed: string }) {
  return followed === '' ? <SummaryPane /> : <StoryPane followed={followed} />;
}
