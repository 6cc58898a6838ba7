import { ErrorNote } from '../../parts/index.ts';
import { theHost } from '../../stores/session.ts';

/** What this address can't do; shown where it lacks something. */
export default function OriginNote() {
  const { secure, lacking } = theHost().origin;
  return (
    <ErrorNote title={secure ? 'This browser lacks something' : 'This address is not secure'}>
      <ul>
        {lacking.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {!secure && <p>Open the page over https, or from localhost, and everything works.</p>}
    </ErrorNote>
  );
}
