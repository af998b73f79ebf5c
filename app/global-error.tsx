"use client";

import "./globals.css";

type Props = { readonly error: Error & { readonly digest?: string } };

/** Replaces the document when the layout fails. */
const GlobalError = ({ error }: Props) => (
  <html lang="en">
    <body>
      <main className="flex min-h-dvh flex-col items-center justify-center gap-2 px-4 text-center">
        <title>Countersign is not available</title>
        <h1 className="text-lg font-semibold">Countersign is not available</h1>
        <p className="text-muted">The server couldn&apos;t load your session. The database is probably down.</p>
        {error.digest ? <p className="font-mono text-xs text-faint">Request {error.digest}</p> : null}
        <button
          type="button"
          className="mt-2 font-medium text-accent underline underline-offset-2"
          onClick={() => window.location.assign("/")}
        >
          Try again
        </button>
      </main>
    </body>
  </html>
);

export default GlobalError;
