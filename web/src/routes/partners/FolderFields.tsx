import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { AFTER_DOWNLOAD, type FileServerForm, MAILBOX_USES } from '../../core/fileServerConnection';
import classes from './partners.module.css';
import type { Faults } from './useSection';

interface Props {
  form: FileServerForm;
  faults: Faults;
  change: (changed: Partial<FileServerForm>) => void;
  /** A field between the two folders. */
  children?: ReactNode;
}

/** The folder for our files, and that from which files of the partner are fetched. */
export function FolderFields({ form, faults, change, children }: Props) {
  return (
    <>
      <TextInput
        label="Folder for our files"
        description="Empty: the folder that the login leads to."
        maxLength={500}
        value={form.upload_dir}
        error={faults.upload_dir ?? null}
        onChange={(event) => change({ upload_dir: event.currentTarget.value })}
      />
      {children}
      <TextInput
        label="Folder of the partner’s files"
        description="Files are fetched from it. Empty: nothing is fetched."
        placeholder="/out"
        maxLength={500}
        value={form.download_dir}
        error={faults.download_dir ?? null}
        onChange={(event) => change({ download_dir: event.currentTarget.value })}
      />
      {form.download_dir.trim() !== '' && (
        <div className={classes.grid}>
          <TextInput
            label="Names of files"
            description="For example *.edi"
            maxLength={100}
            value={form.pattern}
            error={faults.pattern ?? null}
            onChange={(event) => change({ pattern: event.currentTarget.value })}
          />
          <TextInput
            label="Fetch every … seconds"
            description="From 10 to 86400"
            inputMode="numeric"
            maxLength={5}
            value={form.poll_seconds}
            error={faults.poll_seconds ?? null}
            onChange={(event) => change({ poll_seconds: event.currentTarget.value })}
          />
          <NativeSelect
            label="A file that was fetched"
            value={form.after_download}
            data={[...AFTER_DOWNLOAD]}
            onChange={(event) => change({ after_download: event.currentTarget.value })}
          />
          <NativeSelect
            label="The folder has files of"
            value={form.mailbox}
            data={[...MAILBOX_USES]}
            onChange={(event) => change({ mailbox: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}
