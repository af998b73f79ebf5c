import Link from "next/link";

/** From a graph back to the list of them. */
export const GraphsLink = () => (
  <Link href="/graphs" className="hover:text-ink">
    Graphs
  </Link>
);
