import { Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { forwardRef, type ReactNode } from 'react';

const AnchorItem = forwardRef<HTMLAnchorElement, MenuItemProps & { children?: ReactNode }>(
  (props, ref) => <Menu.Item component="a" ref={ref} {...props} />,
);

/** An entry of a menu that leads to another page. */
export const MenuLink = createLink(AnchorItem);
