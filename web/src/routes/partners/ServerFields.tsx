import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FileServerForm } from '../../core/fileServerConnection';
import classes from './partners.module.css';
import type { Faults } from './useSection';

interface Props {
  form: FileServerForm;
  faults: Faults;
  change: (changed: Partial<FileServerForm>) => void;
  /** A further field of the grid. */
  children?: ReactNode;
}

/** The server of an SFTP or FTPS connection, and the user who logs in. */
export function ServerFields({ form, faults, change, children }: Props) {
  return (
    <div className={classes.grid}>
      <TextInput
        label="Server"
        placeholder="files.example.com"
        required
        maxLength={253}
        value={form.host}
        error={faults.host ?? null}
        onChange={(event) => change({ host: event.currentTarget.value })}
      />
      <TextInput
        label="Port"
        inputMode="numeric"
        maxLength={5}
        value={form.port}
        error={faults.port ?? null}
        onChange={(event) => change({ port: event.currentTarget.value })}
      />
      <TextInput
        label="User"
        required
        autoComplete="off"
        maxLength={100}
        value={form.user}
        error={faults.user ?? null}
        onChange={(event) => change({ user: event.currentTarget.value })}
      />
      {children}
    </div>
  );
}
