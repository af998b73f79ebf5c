"use client";

import { NewWorkspaceForm } from "@/components/account/new-workspace-form";

export const FoundWorkspace = ({ token }: { readonly token: string }) => (
  <NewWorkspaceForm toEntry={(name) => ({ by: "setup", token, name })} />
);
