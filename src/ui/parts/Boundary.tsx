import { Component, type ReactNode } from 'react';
import { RotateCcw } from 'lucide-react';
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

  static getDerivedStateFromError(this: void, error: unknown): BoundaryState {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <ErrorNote
        title={`${this.props.what} can’t be shown.`}
        actions={
          <Button icon={RotateCcw} onClick={() => this.setState({ problem: undefined })}>
            Try again
          </Button>
        }
      >
        <p>This is a fault of the page; the cluster is as it was.</p>
        <p>{problem}</p>
      </ErrorNote>
    );
  }
}
