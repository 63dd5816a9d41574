/** Without a session: a token is asked for. */
import { type FormEvent, useState } from "react";
import { problemText } from "./api.ts";
import { clientOf, keepToken } from "./session.ts";

interface Props {
  readonly problem: string | null;
  readonly onToken: (token: string) => void;
}

export function SignIn({ problem, onToken }: Props) {
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await clientOf(text).look("conversations list", { limit: 1 });
      keepToken(text);
      onToken(text);
    } catch (error) {
      setRefusal(problemText(error));
    }
  };
  return (
    <main className="sign-in">
      <h1>Palimpsest</h1>
      <p>
        Run <code>lcm ui</code> and open the link that it prints, or paste a token from{" "}
        <code>lcm token create</code>.
      </p>
      <form onSubmit={submit}>
        <label htmlFor="token">Token</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" disabled={text === ""}>
          Sign in
        </button>
      </form>
      <p className="error-text" role="alert">
        {refusal ?? problem}
      </p>
    </main>
  );
}
