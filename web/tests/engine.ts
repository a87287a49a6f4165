// The web engine in node, and the answers that it must give, which web_answers computes natively.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** An experiment document and its answer. The name says where it comes from (tests/web_engine/web_answers.cpp). */
export interface Answered {
  readonly name: string;
  readonly request: Uint8Array;
  readonly answer: Uint8Array;
}

export interface Facts {
  readonly problems?: readonly { readonly path: string; readonly value: string; readonly text: string }[];
  readonly events?: number;
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly experiment_hash: string;
    readonly events: number;
    readonly time_ps: { readonly total: number };
  };
}

interface Calls {
  readonly memory: WebAssembly.Memory;
  room(size: number): number;
  simulate(): void;
  answer(): number;
  answerSize(): number;
  release(): void;
}

export class Engine {
  readonly #calls: Calls;

  constructor(bytes: BufferSource = readFileSync(process.env["RINGSIDE_WEB_ENGINE"]!)) {
    const module = new WebAssembly.Module(bytes);
    const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] ??= {};
      imports[from][name] = () => {
        if (name === "proc_exit") throw new Error("the engine has ended");
        return 0;
      };
    }
    const { exports } = new WebAssembly.Instance(module, imports);
    (exports["_initialize"] as () => void)();
    this.#calls = exports as unknown as Calls;
  }

  answer(request: Uint8Array): Uint8Array {
    const calls = this.#calls;
    const room = calls.room(request.length);
    new Uint8Array(calls.memory.buffer, room, request.length).set(request);
    calls.simulate();
    const answer = new Uint8Array(calls.memory.buffer, calls.answer(), calls.answerSize()).slice();
    calls.release();
    return answer;
  }

  memory(): number {
    return this.#calls.memory.buffer.byteLength;
  }
}

/** Returns the JSON of an answer. */
export function factsOf(answer: Uint8Array): Facts {
  const size = new DataView(answer.buffer, answer.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(answer.subarray(4, 4 + size)));
}

/** Returns the length of the run block of an answer. */
export function blockSizeOf(answer: Uint8Array): number {
  return answer.length - 4 - new DataView(answer.buffer, answer.byteOffset).getUint32(0, true);
}

/** Returns the texts of a stream, each of which comes after its length. */
async function* textsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    size += piece.length;
    if (size < 4 || (pieces[0]!.length >= 4 && size < 4 + pieces[0]!.readUInt32LE(0))) continue;
    let rest = Buffer.concat(pieces);
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE(0)) {
      const end = 4 + rest.readUInt32LE(0);
      yield rest.subarray(4, end);
      rest = rest.subarray(end);
    }
    pieces = [rest];
    size = rest.length;
  }
  if (size > 0) throw new Error("web_answers ended within a text");
}

/** Runs web_answers and returns its answers while it works. */
export async function* nativeAnswers(words: string[], requests: Uint8Array[] = []): AsyncGenerator<Answered> {
  const program = spawn(process.env["RINGSIDE_WEB_ANSWERS"]!, words, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<number | null>(resolve => program.on("close", resolve));
  for (const request of requests) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(request.length);
    program.stdin.write(length);
    program.stdin.write(request);
  }
  program.stdin.end();
  let texts: Buffer[] = [];
  for await (const text of textsOf(program.stdout)) {
    texts.push(text);
    if (texts.length < 3) continue;
    const [name, request, answer] = texts as [Buffer, Buffer, Buffer];
    yield { name: name.toString(), request, answer };
    texts = [];
  }
  const code = await ended;
  if (code !== 0) throw new Error(`web_answers ${words.join(" ")}: exit code ${code}`);
}
