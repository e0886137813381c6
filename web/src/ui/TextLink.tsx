import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { forwardRef } from 'react';

/** A link inside the application, as running text. */
export const TextLink = createLink(Anchor);

const AnchorButton = forwardRef<HTMLAnchorElement, ButtonProps & { children?: React.ReactNode }>(
  (props, ref) => <Button component="a" ref={ref} {...props} />,
);

/** A link inside the application that looks like a button. */
export const LinkButton = createLink(AnchorButton);
