import Link from "next/link";

/** Link to the graph list. */
export const GraphsLink = () => (
  <Link href="/graphs" className="hover:text-ink">
    Graphs
  </Link>
);
