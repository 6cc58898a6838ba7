import { FilePlus2, Trash2 } from 'lucide-preact';
import { Button, Empty, IconButton, Section, TextArea, TextInput } from '../../parts/index.ts';
import type { SettingsDraft } from './draft.ts';
import styles from './Settings.module.css';

type NamedFile = SettingsDraft['files'][number];

interface FilesTabProps {
  readonly files: readonly NamedFile[];
  readonly onFiles: (files: readonly NamedFile[]) => void;
}

/** The virtual files: a path in a flag is a name here. */
export function FilesTab({ files, onFiles }: FilesTabProps) {
  const change = (at: number, part: Partial<NamedFile>): void =>
    onFiles(files.map((file, index) => (index === at ? { ...file, ...part } : file)));
  const add = (
    <Button icon={FilePlus2} onClick={() => onFiles([...files, { name: `file-${files.length + 1}`, text: '' }])}>
      Add a file
    </Button>
  );
  if (files.length === 0)
    return (
      <Empty icon={FilePlus2} title="No files yet" action={add}>
        A flag that needs a file, such as --token-auth-file=tokens.csv, finds it here by its name.
      </Empty>
    );
  return (
    <div className={styles.scroller}>
      <Section title="Files" end={add}>
        {files.map((file, index) => (
          <div key={index} className={styles.file}>
            <TextInput
              code
              aria-label="Name of the file"
              value={file.name}
              onText={(name) => change(index, { name })}
            />
            <IconButton
              icon={Trash2}
              label={`Remove ${file.name}`}
              onClick={() => onFiles(files.filter((_, at) => at !== index))}
            />
            <TextArea
              aria-label={`Text of ${file.name}`}
              rows={6}
              className={styles.text}
              value={file.text}
              onText={(text) => change(index, { text })}
            />
          </div>
        ))}
      </Section>
    </div>
  );
}
