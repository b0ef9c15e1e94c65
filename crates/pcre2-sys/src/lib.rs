//! Bindings for the functions and constants of PCRE2 that eval-ls uses. Their documentation is PCRE2's own: `man pcre2api`.

#![allow(non_camel_case_types, reason = "the names are those of pcre2.h")]

use std::ffi::{c_int, c_void};

pub const PCRE2_ANCHORED: u32 = 2147483648;
pub const PCRE2_AUTO_CALLOUT: u32 = 4;
pub const PCRE2_CASELESS: u32 = 8;
pub const PCRE2_CONFIG_VERSION: u32 = 11;
pub const PCRE2_ERROR_BACKSLASH_K_IN_LOOKAROUND: u32 = 199;
pub const PCRE2_ERROR_CALLOUT: i32 = -37;
pub const PCRE2_ERROR_CLASS_INVALID_RANGE: u32 = 150;
pub const PCRE2_ERROR_CLASS_RANGE_ORDER: u32 = 108;
pub const PCRE2_ERROR_CONDITION_ASSERTION_EXPECTED: u32 = 128;
pub const PCRE2_ERROR_DEPTHLIMIT: i32 = -53;
pub const PCRE2_ERROR_ESCAPE_INVALID_IN_CLASS: u32 = 107;
pub const PCRE2_ERROR_HEAPLIMIT: i32 = -63;
pub const PCRE2_ERROR_HEAP_FAILED: u32 = 121;
pub const PCRE2_ERROR_INTERNAL: i32 = -44;
pub const PCRE2_ERROR_INVALID_AFTER_PARENS_QUERY: u32 = 111;
pub const PCRE2_ERROR_INVALID_HYPHEN_IN_OPTIONS: u32 = 194;
pub const PCRE2_ERROR_LOOKBEHIND_INVALID_BACKSLASH_C: u32 = 136;
pub const PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH: u32 = 125;
pub const PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED: u32 = 135;
pub const PCRE2_ERROR_LOOKBEHIND_TOO_LONG: u32 = 187;
pub const PCRE2_ERROR_MATCHLIMIT: i32 = -47;
pub const PCRE2_ERROR_MAX_VAR_LOOKBEHIND_EXCEEDED: u32 = 200;
pub const PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS: u32 = 114;
pub const PCRE2_ERROR_MISSING_COMMENT_CLOSING: u32 = 118;
pub const PCRE2_ERROR_MISSING_SQUARE_BRACKET: u32 = 106;
pub const PCRE2_ERROR_NOMATCH: i32 = -1;
pub const PCRE2_ERROR_NOMEMORY: i32 = -48;
pub const PCRE2_ERROR_PATTERN_COMPILED_SIZE_TOO_BIG: u32 = 201;
pub const PCRE2_ERROR_PATTERN_STRING_TOO_LONG: u32 = 188;
pub const PCRE2_ERROR_PATTERN_TOO_COMPLICATED: u32 = 186;
pub const PCRE2_ERROR_PATTERN_TOO_LARGE: u32 = 120;
pub const PCRE2_ERROR_POSIX_CLASS_NOT_IN_CLASS: u32 = 112;
pub const PCRE2_ERROR_QUANTIFIER_INVALID: u32 = 109;
pub const PCRE2_ERROR_RECURSELOOP: i32 = -52;
pub const PCRE2_ERROR_TOO_MANY_CONDITION_BRANCHES: u32 = 127;
pub const PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS: u32 = 122;
pub const PCRE2_INFO_CAPTURECOUNT: u32 = 4;
pub const PCRE2_INFO_FRAMESIZE: u32 = 24;
pub const PCRE2_INFO_SIZE: u32 = 22;
pub const PCRE2_MULTILINE: u32 = 1024;
pub const PCRE2_NEWLINE_LF: u32 = 2;
pub const PCRE2_NO_UTF_CHECK: u32 = 1073741824;
pub const PCRE2_UCP: u32 = 131072;
pub const PCRE2_UTF: u32 = 524288;

macro_rules! opaque {
    ($($name:ident),*) => {$(
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _private: [u8; 0],
        }
    )*};
}

opaque!(pcre2_code_8, pcre2_general_context_8, pcre2_compile_context_8, pcre2_match_context_8, pcre2_match_data_8);

/// What a callout gets.
#[repr(C)]
#[derive(Debug)]
pub struct pcre2_callout_block_8 {
    pub version: u32,
    pub callout_number: u32,
    pub capture_top: u32,
    pub capture_last: u32,
    pub offset_vector: *mut usize,
    pub mark: *const u8,
    pub subject: *const u8,
    pub subject_length: usize,
    pub start_match: usize,
    pub current_position: usize,
    pub pattern_position: usize,
    pub next_item_length: usize,
    pub callout_string_offset: usize,
    pub callout_string_length: usize,
    pub callout_string: *const u8,
    pub callout_flags: u32,
}

pub type pcre2_callout_8 = unsafe extern "C" fn(block: *mut pcre2_callout_block_8, data: *mut c_void) -> c_int;

unsafe extern "C" {
    pub fn pcre2_config_8(what: u32, value: *mut c_void) -> c_int;
    pub fn pcre2_get_error_message_8(number: c_int, buffer: *mut u8, length: usize) -> c_int;

    pub fn pcre2_compile_context_create_8(general: *mut pcre2_general_context_8) -> *mut pcre2_compile_context_8;
    pub fn pcre2_compile_context_free_8(context: *mut pcre2_compile_context_8);
    pub fn pcre2_set_newline_8(context: *mut pcre2_compile_context_8, newline: u32) -> c_int;
    pub fn pcre2_set_max_pattern_length_8(context: *mut pcre2_compile_context_8, length: usize) -> c_int;
    pub fn pcre2_set_max_pattern_compiled_length_8(context: *mut pcre2_compile_context_8, length: usize) -> c_int;
    pub fn pcre2_set_max_varlookbehind_8(context: *mut pcre2_compile_context_8, length: u32) -> c_int;

    pub fn pcre2_compile_8(
        pattern: *const u8,
        length: usize,
        options: u32,
        error: *mut c_int,
        offset: *mut usize,
        context: *mut pcre2_compile_context_8,
    ) -> *mut pcre2_code_8;
    pub fn pcre2_code_free_8(code: *mut pcre2_code_8);
    pub fn pcre2_pattern_info_8(code: *const pcre2_code_8, what: u32, value: *mut c_void) -> c_int;

    pub fn pcre2_match_context_create_8(general: *mut pcre2_general_context_8) -> *mut pcre2_match_context_8;
    pub fn pcre2_match_context_free_8(context: *mut pcre2_match_context_8);
    pub fn pcre2_set_heap_limit_8(context: *mut pcre2_match_context_8, kibibytes: u32) -> c_int;
    pub fn pcre2_set_match_limit_8(context: *mut pcre2_match_context_8, limit: u32) -> c_int;
    pub fn pcre2_set_callout_8(
        context: *mut pcre2_match_context_8,
        callout: Option<pcre2_callout_8>,
        data: *mut c_void,
    ) -> c_int;

    pub fn pcre2_match_data_create_8(pairs: u32, general: *mut pcre2_general_context_8) -> *mut pcre2_match_data_8;
    pub fn pcre2_match_data_free_8(data: *mut pcre2_match_data_8);
    pub fn pcre2_get_match_data_heapframes_size_8(data: *mut pcre2_match_data_8) -> usize;
    pub fn pcre2_get_ovector_pointer_8(data: *mut pcre2_match_data_8) -> *mut usize;
    pub fn pcre2_match_8(
        code: *const pcre2_code_8,
        subject: *const u8,
        length: usize,
        start: usize,
        options: u32,
        data: *mut pcre2_match_data_8,
        context: *mut pcre2_match_context_8,
    ) -> c_int;
}
