//! The functions that a host of the WebAssembly module calls. A message is UTF-8 text in the memory of the module.

use std::cell::RefCell;

use crate::lsp::InProcessServer;

thread_local! {
    static SERVER: RefCell<InProcessServer> = RefCell::default();
    /// The last answer, which the host reads before it calls again.
    static ANSWER: RefCell<Box<[u8]>> = RefCell::default();
}

/// Returns a place for a message of `length` bytes, which [`eval_ls_receive`] frees.
#[unsafe(no_mangle)]
pub extern "C" fn eval_ls_allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0; length].into_boxed_slice()).cast()
}

/// Takes a JSON-RPC message. Returns the length of the answer in bytes, a JSON array of messages at [`eval_ls_answer`].
///
/// # Safety
/// `message` comes from [`eval_ls_allocate`] with this length, and is passed once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn eval_ls_receive(message: *mut u8, length: usize) -> usize {
    // SAFETY: see above.
    let message = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(message, length)) };
    let answer = SERVER.with_borrow_mut(|server| server.receive(&String::from_utf8_lossy(&message)));
    let answer = answer.into_bytes().into_boxed_slice();
    ANSWER.replace(answer);
    ANSWER.with_borrow(|answer| answer.len())
}

/// The place of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn eval_ls_answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
