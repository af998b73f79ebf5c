import { Callout } from "@/components/ui/callout";
import { CopyBlock } from "@/components/ui/copy-block";
import { ShowOnce } from "@/components/ui/dialog-button";

type Props = {
  readonly token: string;
  /** Completes "Anyone with this token can". */
  readonly allows: string;
  /** Environment variable; without one, it is sent as a header. */
  readonly variable?: string;
  readonly onDone: () => void;
};

export const ShownToken = ({ token, allows, variable, onDone }: Props) => (
  <ShowOnce
    title="Copy the token now"
    description={`Only its hash is stored. Anyone with this token can ${allows} until it expires or is revoked.`}
    onDone={onDone}
  >
    <CopyBlock label="token" text={token} />
    <Callout kind="waiting" title="The token won't be shown again">
      {variable === undefined ? (
        <>
          Send it as <code className="font-mono text-xs">Authorization: Bearer</code>.
        </>
      ) : (
        <>
          Set it as the variable <code className="font-mono text-xs">{variable}</code> in the agent&apos;s environment.
        </>
      )}{" "}
      Never put it in a shared file or a URL.
    </Callout>
  </ShowOnce>
);
