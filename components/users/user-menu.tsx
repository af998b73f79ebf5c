"use client";

import { BookOpen, ChevronsUpDown, LogOut } from "lucide-react";
import Link from "next/link";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { SignedIn } from "@/server/auth/signed-in";
import { Avatar } from "@/components/account/avatar";
import { leave } from "./sign-out";

export const UserMenu = ({ session }: { readonly session: SignedIn }) => (
  <Menu
    side="top"
    trigger={
      <button type="button" className="flex w-full items-center gap-2 rounded-md p-1.5 text-left transition-colors hover:bg-hover">
        <Avatar name={session.user.name} />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm leading-4 font-medium">{session.user.name}</span>
          <span className="block truncate text-xs text-muted">
            {session.role}
            {session.auditor ? ", auditor" : ""}
          </span>
        </span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      </button>
    }
  >
    <p className="border-b px-2 pt-1 pb-2 text-xs text-muted">
      Signed in as <span className="text-ink">{session.user.email}</span>
    </p>
    <div className="pt-1">
      <MenuItem render={<Link href="/help" />}>
        <BookOpen aria-hidden />
        Help
      </MenuItem>
      <MenuItem onClick={() => void leave()}>
        <LogOut aria-hidden />
        {session.workspace.demo ? "Sign out or switch account" : "Sign out"}
      </MenuItem>
    </div>
  </Menu>
);
