import { CircleHelp } from 'lucide-preact';
import { useState } from 'preact/compat';
import { Button, later, Popover } from '../../parts/index.ts';

const LegendText = later(() => import('./LegendText.tsx'), null);

/** A button for what the signs mean. */
export function Legend() {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      open={open}
      onOpen={setOpen}
      align="end"
      label="Legend"
      trigger={<Button icon={CircleHelp}>Legend</Button>}
    >
      <LegendText />
    </Popover>
  );
}
