import Link from "next/link";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";

const NotFoundPage = () => (
  <EmptyState
    isPage
    kind="no_match"
    title="Page not found"
    className="flex-1"
    action={
      <Link href="/" className={buttonStyle()}>
        Go home
      </Link>
    }
  >
    It may have been removed or belong to another workspace, or the address is wrong.
  </EmptyState>
);

export default NotFoundPage;
