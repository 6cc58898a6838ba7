import { Component, type ReactNode } from 'preact/compat';
import { Button } from './Button.tsx';
import { ErrorNote } from './Note.tsx';

interface BoundaryProps {
  /** What is inside, as a title names it. */
  readonly what: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly problem: string | undefined;
}

/** Shows an error in the place of a part that fails while it is drawn; the rest of the page stays. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { problem: undefined };

  static override getDerivedStateFromError(this: void, error: unknown): BoundaryState {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  /** The console shows where in the code it happened. */
  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <Failed
        title={`${this.props.what} can’t be shown.`}
        problem={problem}
        onRetry={() => this.setState({ problem: undefined })}
      />
    );
  }
}

interface FailedProps {
  readonly title: string;
  readonly advice?: string;
  readonly problem: string;
  readonly onRetry: () => void;
}

/** What stands in the place of a part of the page that can't be shown. */
export function Failed({ title, advice, problem, onRetry }: FailedProps) {
  return (
    <ErrorNote title={title} actions={<Button onClick={onRetry}>Try again</Button>}>
      <p>{advice}</p>
      <p>{problem}</p>
    </ErrorNote>
  );
}
