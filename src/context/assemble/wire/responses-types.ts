/** Input items of OpenAI's Responses API, as far as the engine writes them. */
export type ResponsesItem =
  | { readonly type: "message"; readonly role: "system" | "user"; readonly content: InputContent[] }
  | { readonly type: "message"; readonly role: "assistant"; readonly content: string }
  | OutputMessage
  | ReasoningItem
  | FunctionCall
  | CustomCall
  | CallOutput;

export type InputContent =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly detail: "auto"; readonly image_url: string }
  | { readonly type: "input_file"; readonly filename: string; readonly file_data: string }
  | { readonly type: "input_file"; readonly file_url: string };

/** Model output with the id that the provider gave it. */
interface OutputMessage {
  readonly type: "message";
  readonly id: string;
  readonly role: "assistant";
  readonly status: "completed";
  readonly content: { readonly type: "output_text"; readonly text: string; readonly annotations: never[] }[];
}

export interface ReasoningItem {
  readonly type: "reasoning";
  readonly id: string;
  readonly summary: { readonly type: "summary_text"; readonly text: string }[];
  readonly encrypted_content: string;
}

interface FunctionCall {
  readonly type: "function_call";
  readonly id?: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

interface CustomCall {
  readonly type: "custom_tool_call";
  readonly id?: string;
  readonly call_id: string;
  readonly name: string;
  readonly input: string;
}

interface CallOutput {
  readonly type: "function_call_output" | "custom_tool_call_output";
  readonly call_id: string;
  readonly output: string | InputContent[];
}
