import { Modal, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api, data } from '../api/client';
import { login } from '../api/login';
import { begin, type Session, useSession } from '../api/session';
import { LoginForm } from './LoginForm';
import { leave } from './sessionHint';

/** Over every other dialog: what is under it waits. */
const ABOVE_DIALOGS = 1000;

/** Opens over the page when the session has ended; the work under it is kept and goes on after. */
export function LoginDialog() {
  const [open, setOpen] = useState(false);
  const { user } = useSession();
  useEffect(() => login.subscribe(setOpen), []);
  useLoginElsewhere(open, user.id);
  const goOn = (session: Session) => {
    // Another user has other rights: what the page shows is then not theirs.
    if (session.user.id !== user.id) window.location.reload();
    else login.finished('here');
  };
  return (
    <Modal
      opened={open}
      onClose={leave}
      title="Your session has ended"
      zIndex={ABOVE_DIALOGS}
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': 'Leave this page' }}
    >
      <Text mb="md">Log in again to continue. Nothing on this page is lost.</Text>
      <LoginForm email={user.email} onLoggedIn={goOn} />
    </Modal>
  );
}

/** Whoever comes back from another tab and has logged in there is not asked a second time. */
function useLoginElsewhere(isOpen: boolean, userId: number): void {
  useEffect(() => {
    if (!isOpen) return;
    const look = async () => {
      const session = await data(api.GET('/api/session')).catch(() => null);
      // Of another user nothing here goes on; the dialog stays for this one.
      if (session?.user.id !== userId) return;
      begin(session);
      login.finished('elsewhere');
    };
    const onFocus = () => void look();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [isOpen, userId]);
}
