import Link from "next/link";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";

const NotFoundPage = () => (
  <EmptyState
    isPage
    kind="no_match"
    title="There is nothing at this address"
    className="flex-1"
    action={
      <Link href="/" className={buttonStyle()}>
        Go home
      </Link>
    }
  >
    It may be gone, belong to another workspace, or never have been.
  </EmptyState>
);

export default NotFoundPage;
