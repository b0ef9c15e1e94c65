//! The only code of this program that calls C: a small safe interface to PCRE2.

use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

use pcre2_sys as sys;

use super::budget::{Cost, Meter};
use super::program::{MAX_PATTERN_BYTES, MAX_PROGRAM_BYTES};

/// A compiled program. PCRE2 does not change it after compilation.
#[derive(Debug)]
pub(super) struct Code {
    code: NonNull<sys::pcre2_code_8>,
    cost: Cost,
}

/// Why PCRE2 does not compile a pattern: its error number, and where in the pattern it stopped, in bytes.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) number: i32,
    pub(super) offset: usize,
}

/// The outcome of an attempt to match.
#[derive(Debug)]
pub(super) enum Attempt {
    /// The bytes where the match starts and ends, as PCRE2 reports them: `\K` can put the start after the end, and `\C`
    /// can put either within a character.
    Match(usize, usize),
    NoMatch,
    /// The meter stopped it.
    Stopped,
    /// PCRE2 stopped with this (negative) error number.
    Error(i32),
}

// SAFETY: compiled code is read-only after compilation, and PCRE2 documents it as usable from several threads at once.
// This program never JIT-compiles it, the one call that would write to it.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// Compiles `pattern`. `cost` gets the size of a backtracking frame in bytes.
    pub(super) fn compile(pattern: &str, options: u32, cost: impl FnOnce(usize) -> Cost) -> Result<Code, Refusal> {
        let context = CompileContext::new();
        let (mut number, mut offset) = (0, 0);
        // SAFETY: the pointer and the length describe `pattern`, which PCRE2 reads only during the call; the numbers are
        // written to live locals; the context is live until after the call. PCRE2 copies what it needs.
        let code = unsafe {
            sys::pcre2_compile_8(
                pattern.as_ptr(),
                pattern.len(),
                options | sys::PCRE2_UTF | sys::PCRE2_NO_UTF_CHECK,
                &raw mut number,
                &raw mut offset,
                context.0.as_ptr(),
            )
        };
        let Some(code) = NonNull::new(code) else {
            return Err(Refusal { number, offset: offset.min(pattern.len()) });
        };
        let mut code = Code { code, cost: Cost { item: 1, compares_groups: false } };
        // PCRE2 can refuse a large program itself from 10.43 on.
        if code.program_size() > MAX_PROGRAM_BYTES {
            return Err(Refusal { number: sys::PCRE2_ERROR_PATTERN_TOO_LARGE as i32, offset: pattern.len() });
        }
        code.cost = cost(code.size(sys::PCRE2_INFO_FRAMESIZE));
        Ok(code)
    }

    /// What trying one item costs.
    pub(super) fn cost(&self) -> Cost {
        self.cost
    }

    /// Returns the bytes of the whole program.
    pub(super) fn program_size(&self) -> usize {
        self.size(sys::PCRE2_INFO_SIZE)
    }

    fn size(&self, of: u32) -> usize {
        let mut size: usize = 0;
        // SAFETY: the code is live, and for both questions that are asked above PCRE2 writes one `size_t`.
        let rc = unsafe { sys::pcre2_pattern_info_8(self.code.as_ptr(), of, (&raw mut size).cast::<c_void>()) };
        debug_assert_eq!(rc, 0, "PCRE2 knows the sizes of every program");
        size
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the code came from `pcre2_compile_8` and is freed once, here.
        unsafe { sys::pcre2_code_free_8(self.code.as_ptr()) }
    }
}

struct CompileContext(NonNull<sys::pcre2_compile_context_8>);

impl CompileContext {
    fn new() -> Self {
        // SAFETY: a null general context asks for the default allocator.
        let context = unsafe { sys::pcre2_compile_context_create_8(ptr::null_mut()) };
        let context = NonNull::new(context).expect("there is memory for a compile context of some 100 bytes");
        // SAFETY: the context is live; these values are ones that PCRE2 accepts.
        unsafe {
            sys::pcre2_set_newline_8(context.as_ptr(), sys::PCRE2_NEWLINE_LF);
            sys::pcre2_set_max_pattern_length_8(context.as_ptr(), MAX_PATTERN_BYTES);
        }
        Self(context)
    }
}

impl Drop for CompileContext {
    fn drop(&mut self) {
        // SAFETY: made in `new`, freed once, here.
        unsafe { sys::pcre2_compile_context_free_8(self.0.as_ptr()) }
    }
}

/// The memory for matching. It serves any program, one match at a time.
pub(super) struct Scratch {
    data: NonNull<sys::pcre2_match_data_8>,
    context: NonNull<sys::pcre2_match_context_8>,
}

impl Scratch {
    /// After a match of more steps, its memory is not kept for the next one: each step may have made a backtracking frame of some 100
    /// bytes.
    const KEPT_STEPS: u64 = 1000;

    pub(super) fn new(heap_kib: u32) -> Self {
        // SAFETY: null general contexts ask for the default allocator. One pair of offsets is enough for a match's span.
        let (data, context) = unsafe {
            (sys::pcre2_match_data_create_8(1, ptr::null_mut()), sys::pcre2_match_context_create_8(ptr::null_mut()))
        };
        let data = NonNull::new(data).expect("there is memory for a match block of some 100 bytes");
        let context = NonNull::new(context).expect("there is memory for a match context of some 100 bytes");
        // SAFETY: the context is live.
        unsafe { sys::pcre2_set_heap_limit_8(context.as_ptr(), heap_kib) };
        Self { data, context }
    }

    /// Searches `subject` for the first match that starts at byte `from`, a character's start, or later. `match_limit` is PCRE2's own, which counts from zero at each place where a match
    /// may start. `meter` is called at each callout of the program.
    pub(super) fn run(
        &mut self,
        code: &Code,
        subject: &str,
        from: usize,
        match_limit: u32,
        meter: &mut Meter,
    ) -> Attempt {
        assert!(subject.is_char_boundary(from), "matching starts at a character");
        let steps = meter.steps_left();
        // SAFETY: the context is live. The pointer to `meter`, which outlives the match below, reaches `on_callout`
        // only, which is called only during that match.
        let rc = unsafe {
            sys::pcre2_set_match_limit_8(self.context.as_ptr(), match_limit);
            pcre2_set_callout_8(self.context.as_ptr(), Some(on_callout), ptr::from_mut(meter).cast())
        };
        debug_assert_eq!(rc, 0, "PCRE2 takes any callout");
        // An empty `str` may point nowhere, and some releases of PCRE2 have read the byte under an empty subject.
        let start = if subject.is_empty() { c"".as_ptr().cast() } else { subject.as_ptr() };
        // SAFETY: the pointer and the length describe `subject`. It is UTF-8 and `from` is the start of a character, so the check
        // may be left out. Code, match block and context are live, and `&mut self` keeps them to this match alone.
        let rc = unsafe {
            sys::pcre2_match_8(
                code.code.as_ptr(),
                start,
                subject.len(),
                from,
                sys::PCRE2_NO_UTF_CHECK,
                self.data.as_ptr(),
                self.context.as_ptr(),
            )
        };
        let outcome = match rc {
            sys::PCRE2_ERROR_NOMATCH => Attempt::NoMatch,
            0.. => {
                // SAFETY: the match block is live and has one pair of offsets, which every match sets. (0 says only that
                // there was no room for the groups' pairs.)
                let [start, end] =
                    unsafe { *sys::pcre2_get_ovector_pointer_8(self.data.as_ptr()).cast::<[usize; 2]>() };
                Attempt::Match(start.min(subject.len()), end.min(subject.len()))
            }
            sys::PCRE2_ERROR_CALLOUT => Attempt::Stopped,
            error => Attempt::Error(error),
        };
        if steps.saturating_sub(meter.steps_left()) > Self::KEPT_STEPS {
            // SAFETY: the match block is live; it is freed once, and at once replaced.
            unsafe {
                if let Some(fresh) = NonNull::new(sys::pcre2_match_data_create_8(1, ptr::null_mut())) {
                    sys::pcre2_match_data_free_8(self.data.as_ptr());
                    self.data = fresh;
                }
            }
        }
        outcome
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: both were made by `new` or `run` and are freed once, here.
        unsafe {
            sys::pcre2_match_data_free_8(self.data.as_ptr());
            sys::pcre2_match_context_free_8(self.context.as_ptr());
        }
    }
}

/// Returns PCRE2's own message for one of its error numbers.
pub(super) fn error_message(number: i32) -> String {
    let mut buffer = [0; 256];
    // SAFETY: the pointer and the length describe `buffer`, in which PCRE2 writes at most that much.
    let written = unsafe { sys::pcre2_get_error_message_8(number, buffer.as_mut_ptr(), buffer.len()) };
    let written = usize::try_from(written).unwrap_or(0).min(buffer.len());
    String::from_utf8_lossy(&buffer[..written]).into_owned()
}

/// Returns the version of the linked PCRE2.
pub(crate) fn version() -> String {
    let mut buffer = [0_u8; 64];
    // SAFETY: a null pointer asks how many bytes are needed, the closing zero included.
    let needed = unsafe { sys::pcre2_config_8(sys::PCRE2_CONFIG_VERSION, ptr::null_mut()) };
    let needed = usize::try_from(needed).unwrap_or(usize::MAX);
    assert!((1..=buffer.len()).contains(&needed), "PCRE2's version is a short text");
    // SAFETY: the buffer has room for the `needed` bytes that PCRE2 writes.
    unsafe { sys::pcre2_config_8(sys::PCRE2_CONFIG_VERSION, buffer.as_mut_ptr().cast::<c_void>()) };
    String::from_utf8_lossy(&buffer[..needed - 1]).into_owned()
}

/// `pcre2_callout_block_8` of pcre2.h, which the crate `pcre2-sys` does not declare.
#[repr(C)]
struct CalloutBlock {
    version: u32,
    callout_number: u32,
    capture_top: u32,
    capture_last: u32,
    offset_vector: *const usize,
    mark: *const u8,
    subject: *const u8,
    subject_length: usize,
    start_match: usize,
    current_position: usize,
    // Fields that this program does not read follow. PCRE2 makes the block, so its size does not matter here.
}

unsafe extern "C" {
    fn pcre2_set_callout_8(
        context: *mut sys::pcre2_match_context_8,
        callout: Option<unsafe extern "C" fn(*mut CalloutBlock, *mut c_void) -> c_int>,
        data: *mut c_void,
    ) -> c_int;
}

/// Asks the meter whether to go on. It cannot panic: `Meter::step` only adds and compares.
unsafe extern "C" fn on_callout(block: *mut CalloutBlock, meter: *mut c_void) -> c_int {
    // SAFETY: PCRE2 passes a live block, and the pointer that `run` gave it, to a `Meter` that nothing else uses during the
    // match.
    let (block, meter) = unsafe { (&*block, &mut *meter.cast::<Meter>()) };
    if meter.step(block.current_position, || longest_group(block)) { 0 } else { sys::PCRE2_ERROR_CALLOUT }
}

/// The length in bytes of the longest group that has matched so far.
fn longest_group(block: &CalloutBlock) -> usize {
    let pairs = usize::try_from(block.capture_top).unwrap_or(0);
    if pairs < 2 || block.offset_vector.is_null() {
        return 0;
    }
    // SAFETY: PCRE2 documents that the vector has `capture_top` pairs, of which the first is not set. It does not change
    // during the callout.
    let offsets = unsafe { std::slice::from_raw_parts(block.offset_vector.cast::<[usize; 2]>(), pairs) };
    offsets[1..].iter().filter_map(|[start, end]| end.checked_sub(*start)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Code {
        /// How many groups capture.
        pub(in crate::pattern) fn captures(&self) -> u32 {
            let mut count: u32 = 0;
            // SAFETY: the code is live, and for this question PCRE2 writes one `uint32_t`.
            let rc = unsafe {
                sys::pcre2_pattern_info_8(
                    self.code.as_ptr(),
                    sys::PCRE2_INFO_CAPTURECOUNT,
                    (&raw mut count).cast::<c_void>(),
                )
            };
            assert_eq!(rc, 0, "PCRE2 knows the groups of every program");
            count
        }
    }
}
