import { UserMenu } from "@/components/users/user-menu";
import type { SignedIn } from "@/server/auth/signed-in";
import { Nav } from "./nav";
import { WorkspaceSwitcher } from "./workspace-switcher";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { Wordmark } from "@/components/ui/wordmark";

type Props = { readonly session: SignedIn; readonly waiting: number };

export const Sidebar = ({ session, waiting }: Props) => (
  <>
    <div>
      <Wordmark className="px-2" />
      <WorkspaceSwitcher workspace={session.workspace} />
    </div>
    <Nav role={session.role} auditor={session.auditor} waiting={waiting} />
    <div className="mt-auto flex flex-col gap-2">
      <ThemeSwitch />
      <UserMenu session={session} />
    </div>
  </>
);
