import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { sessionQuery, useSession } from '../../api/session';
import { notifyDone } from '../../ui/notify';
import { TextLink } from '../../ui/TextLink';
import { changeUser, type User, type UserFacts, usersChanged } from './queries';
import { UserForm } from './UserForm';

interface Props {
  of: User;
  onClose: () => void;
}

const PASSWORD = ['Unchanged', 'New password; ends their sessions'] as const;

/** Changes address, role or password of a user. */
export function ChangeUserDialog({ of, onClose }: Props) {
  const { user } = useSession();
  const queries = useQueryClient();
  const isSelf = of.id === user.id;
  const save = async (facts: UserFacts) => {
    await changeUser(of.id, facts);
    // What the page offers depends on the role.
    if (isSelf) await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    await usersChanged();
    notifyDone(`${facts.email} was changed.`);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={`Change ${of.email}`} size="lg">
      {isSelf && (
        <p>
          This is you. Your password is changed under <TextLink to="/app/account">Account</TextLink>
          . If you give up the role owner, you can no longer see this page.
        </p>
      )}
      <UserForm
        start={of}
        password={isSelf ? null : PASSWORD}
        verb="Save"
        save={save}
        onCancel={onClose}
      />
    </Modal>
  );
}
