import { NativeSelect, TextInput } from '@mantine/core';
import { AFTER_DOWNLOAD, MAILBOX_USES, type SftpForm } from '../../core/sftpConnection';
import classes from './partners.module.css';
import type { Faults } from './useSection';

interface Props {
  sftp: SftpForm;
  faults: Faults;
  change: (changed: Partial<SftpForm>) => void;
}

/** The folder from which files of the partner are fetched, and what becomes of them. */
export function SftpMailbox({ sftp, faults, change }: Props) {
  return (
    <>
      <TextInput
        label="Folder of the partner’s files"
        description="Files are fetched from it. Empty: nothing is fetched."
        placeholder="/out"
        maxLength={500}
        value={sftp.download_dir}
        error={faults.download_dir ?? null}
        onChange={(event) => change({ download_dir: event.currentTarget.value })}
      />
      {sftp.download_dir.trim() !== '' && (
        <div className={classes.grid}>
          <TextInput
            label="Names of files"
            description="For example *.edi"
            maxLength={100}
            value={sftp.pattern}
            error={faults.pattern ?? null}
            onChange={(event) => change({ pattern: event.currentTarget.value })}
          />
          <TextInput
            label="Fetch every … seconds"
            description="From 10 to 86400"
            inputMode="numeric"
            maxLength={5}
            value={sftp.poll_seconds}
            error={faults.poll_seconds ?? null}
            onChange={(event) => change({ poll_seconds: event.currentTarget.value })}
          />
          <NativeSelect
            label="A file that was fetched"
            value={sftp.after_download}
            data={[...AFTER_DOWNLOAD]}
            onChange={(event) => change({ after_download: event.currentTarget.value })}
          />
          <NativeSelect
            label="The folder has files of"
            value={sftp.mailbox}
            data={[...MAILBOX_USES]}
            onChange={(event) => change({ mailbox: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}
